package org.trueasync.io;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.internal.watch.WatchCore;
import org.trueasync.internal.watch.WatchSettings;
import org.trueasync.spi.WatchHandle.Change;

/**
 * Tells what changes in a folder, or whether a file changes. Watching begins in the constructor; what happens before somebody iterates is kept.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="watcher" :
 * try (var watcher = new FileSystemWatcher(folder)) {
 *     for (var event : watcher) {
 *         IO.println(event.filename() + (event.renamed() ? " came or went" : " changed"));
 *     }
 * }
 * }
 *
 * <p>Waiting suspends only the coroutine that waits. Several may iterate: they share, each event goes to one of them, in the order in which they
 * asked. Usually changes of one file that nobody has taken yet are one event; see {@link Builder#raw}, {@link Builder#debounce}.
 *
 * <p>At most {@link #KEPT} events are kept, or as many as {@link Builder#keep} says. What does not fit is replaced by one event without a name,
 * which also comes where the system has lost something: then anything may have changed.
 *
 * <p>A folder that is deleted or moved away ends the iteration with an {@link org.trueasync.InputOutputException}, once what was noticed before was
 * taken; a file may go and come again. Loop thread only, except {@code builder}, {@code isClosed} and {@code path}.
 *
 * @implNote libuv: {@code uv_fs_event_t}, that is inotify, whose limits are {@code fs.inotify.max_user_watches} (folders) and {@code
 *     fs.inotify.max_user_instances} (runtimes). Changes made by other machines on a network file system are not told by the system.
 */
public final class FileSystemWatcher implements Iterable<FileSystemEvent>, AutoCloseable {
    /** How many events are kept for those who take them, unless the builder says otherwise. */
    public static final int KEPT = 16_384;

    private final Path path;
    private final WatchCore core;

    /**
     * Watches a folder without its sub-folders, or a file.
     *
     * @param path exists; what a symbolic link leads to is watched
     * @throws org.trueasync.InputOutputException if there is no such path, errno {@code ENOENT}, or the system can't watch more; names path and errno
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public FileSystemWatcher(Path path) {
        this(new Builder(path));
    }

    private FileSystemWatcher(Builder builder) {
        this.path = builder.path;
        this.core = WatchCore.open(builder.path, builder.settings());
        core.closeIfLost(this);
    }

    /**
     * For a watcher with options.
     *
     * @param path see the constructor
     */
    public static Builder builder(Path path) {
        return new Builder(path);
    }

    /** The watched path, as it was given. Any thread. */
    public Path path() {
        return path;
    }

    /**
     * The next event; suspends this coroutine while there is none.
     *
     * @return null once the watcher is closed and everything noticed before was taken
     * @throws org.trueasync.InputOutputException if nothing more can be noticed: the folder is gone, a limit is reached
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no event is lost
     */
    public @Nullable FileSystemEvent next() {
        return event(core.next(null));
    }

    /**
     * As {@link #next()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public @Nullable FileSystemEvent next(Completable<?> cancellation) {
        return event(core.next(Objects.requireNonNull(cancellation, "cancellation")));
    }

    private @Nullable FileSystemEvent event(@Nullable Change change) {
        return change == null ? null : new FileSystemEvent(path, change.name(), change.renamed(), change.changed());
    }

    /** Takes events as {@link #next()} does, until it returns null. What {@code hasNext} has found is this iterator's alone. */
    @Override
    public Iterator<FileSystemEvent> iterator() {
        return new Iterator<>() {
            private @Nullable FileSystemEvent ahead;

            @Override
            public boolean hasNext() {
                if (ahead == null) ahead = FileSystemWatcher.this.next();
                return ahead != null;
            }

            @Override
            public FileSystemEvent next() {
                FileSystemEvent event = hasNext() ? ahead : null;
                ahead = null;
                if (event == null) throw new NoSuchElementException("the watcher of " + path + " is closed");
                return event;
            }
        };
    }

    /** True after {@link #close}, after a failure and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /** Stops watching. What was noticed before can still be taken, then iterations end; whoever waits is woken. Again does nothing. */
    @Override
    public void close() {
        core.close();
    }

    /** What a watcher is to look at and how it is to tell. Belongs to whoever made it. */
    public static final class Builder {
        private final Path path;
        private boolean recursive;
        private boolean raw;
        private long quietNanos;
        private long holdNanos;
        private List<String> suffixes = List.of();
        private int most = KEPT;

        private Builder(Path path) {
            this.path = Objects.requireNonNull(path, "path");
        }

        /** Sub-folders too, also those that come later. Symbolic links are not followed. A watch of the system's for each folder. */
        public Builder recursive() {
            recursive = true;
            return this;
        }

        /** Each thing that the system tells is an event of its own: several for one file that is written. */
        public Builder raw() {
            raw = true;
            return this;
        }

        /**
         * One event, without a name, for everything that has happened, once nothing has happened for a while.
         *
         * @param quiet how long nothing must happen, > 0
         * @param hold how long after the first change the event comes in any case, >= quiet
         * @throws IllegalArgumentException if one is out of its range
         */
        public Builder debounce(Duration quiet, Duration hold) {
            Objects.requireNonNull(hold, "hold");
            long window = TimeLimits.positive(quiet, "quiet").toNanos();
            if (hold.compareTo(quiet) < 0)
                throw new IllegalArgumentException("hold must be >= quiet (" + quiet + "), got " + hold);
            quietNanos = window;
            holdNanos = TimeLimits.positive(hold, "hold").toNanos();
            return this;
        }

        /**
         * Only names with one of these extensions, in capital letters or small ones; events without a name come only where something was lost, or
         * after a quiet window.
         *
         * @param extensions {@code "java"} or {@code ".java"}; none means every name
         * @throws IllegalArgumentException if one is empty or contains a {@code /}
         */
        public Builder extensions(String... extensions) {
            var wanted = new ArrayList<String>();
            for (String extension : extensions) {
                String bare = extension.startsWith(".") ? extension.substring(1) : extension;
                if (bare.isEmpty() || bare.indexOf('/') >= 0)
                    throw new IllegalArgumentException(
                            "extension must be the end of a name such as \"java\", got \"" + extension + "\"");
                wanted.add("." + bare.toLowerCase(Locale.ROOT));
            }
            suffixes = List.copyOf(wanted);
            return this;
        }

        /**
         * How many events are kept while nobody takes them; then one without a name stands for the rest.
         *
         * @param events >= 1
         */
        public Builder keep(int events) {
            if (events < 1) throw new IllegalArgumentException("at least 1 event must be kept, got " + events);
            most = events;
            return this;
        }

        private WatchSettings settings() {
            return new WatchSettings(recursive, raw, quietNanos, holdNanos, suffixes, most);
        }

        /**
         * Begins to watch; with sub-folders this suspends until all that exist are watched.
         *
         * @throws org.trueasync.InputOutputException if there is no such path, or the system can't watch more; names path and errno
         * @throws org.trueasync.AsyncException outside a runtime
         */
        public FileSystemWatcher build() {
            return new FileSystemWatcher(this);
        }
    }
}
