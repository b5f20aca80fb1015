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
 * Reports changes in a folder or of a file. Watching begins in the constructor; events before the first iteration are
 * kept.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="watcher" :
 * try (var watcher = new FileSystemWatcher(folder)) {
 *     for (var event : watcher) {
 *         IO.println(event.filename() + (event.renamed() ? " came or went" : " changed"));
 *     }
 * }
 * }
 *
 * <p>Waiting suspends only the calling coroutine. If several coroutines iterate, each event goes to one of them, in the
 * order of their calls. Several changes of one file are merged into one event until that is taken; see
 * {@link Builder#raw}, {@link Builder#debounce}.
 *
 * <p>At most 16,384 events are kept, or the number given to {@link Builder#keep}. Events that do not fit are
 * replaced by one event without a name, which also comes if the system has lost changes: then anything may have
 * changed.
 *
 * <p>If the folder is deleted or moved away, the iteration ends with an {@link org.trueasync.InputOutputException},
 * after the events before that. A watched file may be deleted and created again. Loop thread only, except
 * {@code builder}, {@code isClosed} and {@code path}.
 *
 * @implNote libuv: {@code uv_fs_event_t}, that is inotify, whose limits are {@code fs.inotify.max_user_watches}
 *     (folders) and {@code fs.inotify.max_user_instances} (runtimes). The system does not report changes that other
 *     machines make on a network file system.
 */
public final class FileSystemWatcher implements Iterable<FileSystemEvent>, AutoCloseable {
    /** Number of events that are kept until they are taken, unless the builder sets another one. */
    private static final int KEPT = 16_384;

    private final Path path;
    private final WatchCore core;

    /**
     * Watches a folder without its sub-folders, or a file.
     *
     * @param path an existing path; of a symbolic link the target is watched
     * @throws org.trueasync.InputOutputException if there is no such path, errno {@code ENOENT}, or the system can't
     *     watch more; the message names path and errno
     * @throws IllegalArgumentException if the path is not of the default file system
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
     * Returns a builder of a watcher with options.
     *
     * @param path as in the constructor
     */
    public static Builder builder(Path path) {
        return new Builder(path);
    }

    /** The watched path, as it was given. Any thread. */
    public Path path() {
        return path;
    }

    /**
     * Returns the next event; suspends this coroutine while there is none.
     *
     * @return the event; null once the watcher is closed and all events have been taken
     * @throws org.trueasync.InputOutputException if watching has failed: the folder is gone, a limit is reached
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

    /**
     * Takes events as {@link #next()} does, until it returns null. An event that {@code hasNext} has taken belongs to
     * this iterator.
     */
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

    /**
     * True after {@link #close}, after a failure and after the end of the runtime. Any thread; another thread may see
     * it late.
     */
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Stops watching. Earlier events can still be taken, then iterations end; waiting coroutines are woken and get
     * null. Idempotent.
     */
    @Override
    public void close() {
        core.close();
    }

    /** The options of a watcher. Belongs to whoever made it. */
    public static final class Builder {
        private final Path path;
        private boolean recursive;
        private boolean raw;
        private long quietNanos;
        private long holdNanos;
        private List<String> suffixes = List.of();
        private int maxKept = KEPT;

        private Builder(Path path) {
            this.path = Objects.requireNonNull(path, "path");
        }

        /**
         * Watches sub-folders too, also those created later. Symbolic links are not followed. Each folder takes one of
         * the system's watches.
         */
        public Builder recursive() {
            recursive = true;
            return this;
        }

        /** Makes each report of the system an event of its own, so one write to a file may give several. */
        public Builder raw() {
            raw = true;
            return this;
        }

        /**
         * Merges all changes into one event without a name, which comes once nothing has changed for a while.
         *
         * @param quiet how long nothing must have changed, > 0
         * @param hold time after the first change at which the event comes in any case, >= quiet
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
         * Reports only names with one of these extensions, ignoring case. Events without a name then come only if
         * changes were lost, or after a quiet window.
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
         * Sets how many events are kept until they are taken; one event without a name stands for all further ones.
         *
         * @param events >= 1
         * @throws IllegalArgumentException if it is less
         */
        public Builder keep(int events) {
            if (events < 1) throw new IllegalArgumentException("at least 1 event must be kept, got " + events);
            maxKept = events;
            return this;
        }

        private WatchSettings settings() {
            return new WatchSettings(recursive, raw, quietNanos, holdNanos, suffixes, maxKept);
        }

        /**
         * Begins to watch; with sub-folders, suspends until all existing ones are watched.
         *
         * @throws org.trueasync.InputOutputException if there is no such path, or the system can't watch more; the
         *     message names path and errno
         * @throws IllegalArgumentException if the path is not of the default file system
         * @throws org.trueasync.AsyncCancellation if cancelled while waiting; nothing is watched then
         * @throws org.trueasync.AsyncException outside a runtime
         */
        public FileSystemWatcher build() {
            return new FileSystemWatcher(this);
        }
    }
}
