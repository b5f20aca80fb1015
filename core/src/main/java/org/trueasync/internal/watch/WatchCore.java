package org.trueasync.internal.watch;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.io.IoWaiter;
import org.trueasync.internal.io.LeakedHandle;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.WatchHandle.Change;

/**
 * A watched path as coroutines see it: what is noticed goes into the {@link Backlog}, and from there to the coroutine that waits longest. One
 * that is cancelled after it was given a change leaves it to the next.
 *
 * <p>While nobody waits nothing counts as able to wake, so that a watcher that was forgotten keeps no run alive.
 */
public final class WatchCore {
    private final Loop loop;
    private final Path root;
    private final WatchSettings settings;
    private final Backlog backlog;
    private final WaitQueue<Next> waiting = new WaitQueue<>();
    private final Watched watched;
    /** Set to the moment at which something is due, while somebody waits for it. */
    private @Nullable TimerEvent timer;

    private boolean closed;
    private @Nullable InputOutputException failure;

    private WatchCore(Loop loop, Path root, WatchSettings settings, boolean folder) {
        this.loop = loop;
        this.root = root;
        this.settings = settings;
        this.backlog = settings.backlog();
        this.watched = folder ? new FolderTree(this) : new SingleFile(this);
    }

    /**
     * Begins to watch; suspends until the sub-folders that exist are watched too, if they are asked for.
     *
     * @param path a folder or a file
     * @param settings how
     * @throws InputOutputException if it does not exist or can't be watched
     */
    public static WatchCore open(Path path, WatchSettings settings) {
        Loop loop = Runtimes.here("FileSystemWatcher");
        if (path.getFileSystem() != FileSystems.getDefault())
            throw new IllegalArgumentException("only the default file system can be watched, got " + path.toUri());
        Path root = path.toAbsolutePath();
        var core = new WatchCore(loop, root, settings, isFolder(root));
        try {
            core.watched.begin();
            core.throwFailure();
        } catch (Throwable e) {
            core.close();
            throw e;
        }
        return core;
    }

    /**
     * From now on it is closed when its user is lost. Whoever waits has the user on the stack.
     *
     * @param user what the program holds; not known to this
     */
    public void closeIfLost(Object user) {
        LeakedHandle.watch(user, loop, "file system watcher", "of " + root, this::isClosed, this::close);
    }

    private static boolean isFolder(Path root) {
        try {
            return Files.readAttributes(root, BasicFileAttributes.class).isDirectory();
        } catch (IOException e) {
            throw error(root, SystemError.of(e));
        }
    }

    static InputOutputException error(Path path, SystemError error) {
        return new InputOutputException("watch " + path + ": " + error, error.errno());
    }

    Loop loop() {
        return loop;
    }

    /** Absolute. */
    Path root() {
        return root;
    }

    WatchSettings settings() {
        return settings;
    }

    // ---- taking

    /** The next change; suspends while there is none. Null once the watcher is closed and everything was taken. */
    public @Nullable Change next(@Nullable Completable<?> token) {
        loop.requireLoopThread("next");
        Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        if (waiting.isEmpty()) {
            Change first = backlog.take(loop.reactor().nanoTime());
            if (first != null || isOver()) {
                if (first == null) throwFailure();
                if (othersTurn) loop.giveWay();
                return first;
            }
        }
        var request = new Next();
        request.await(Runtimes.currentCoroutine("change of " + root), token);
        return request.change;
    }

    private void throwFailure() {
        if (failure != null) throw IoRequest.again(failure);
    }

    private boolean isOver() {
        return closed || watched.isClosed();
    }

    // ---- noticing

    /** Something was noticed. In the loop's frame: it records and wakes. */
    void noticed(@Nullable String name, boolean renamed, boolean changed) {
        if (closed || !settings.counts(name)) return;
        backlog.add(new Change(name, renamed, changed), loop.reactor().nanoTime());
        serve();
    }

    private void serve() {
        for (Next request = waiting.first(); request != null; request = waiting.first()) {
            long now = loop.reactor().nanoTime();
            Change first = backlog.take(now);
            if (first == null) {
                if (isOver()) release();
                else wakeWhenDue(backlog.due(now));
                return;
            }
            request.change = first;
            request.serve();
        }
        stopTimer();
    }

    private void release() {
        stopTimer();
        waiting.refuseAll(() -> failure);
    }

    /** The timer is left as it is while it is set: when it goes off it is set anew for what has come since. */
    private void wakeWhenDue(long nanos) {
        if (timer != null || nanos == Backlog.NEVER) return;
        TimerEvent next = loop.timers().oneShot(Duration.ofNanos(nanos));
        next.setHidden(true);
        next.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                timer = null;
                serve();
            }
        });
        timer = next;
        next.start();
    }

    private void stopTimer() {
        TimerEvent set = timer;
        timer = null;
        if (set != null) set.dispose();
    }

    // ---- end

    /** Nothing more will be noticed: what waits is handed out, then the error. */
    void fail(InputOutputException error) {
        if (closed) return;
        failure = error;
        end();
    }

    /** Stops watching; what waits is still handed out. Again does nothing. */
    public void close() {
        if (closed) return;
        loop.requireLoopThread("close");
        end();
    }

    private void end() {
        closed = true;
        watched.close();
        backlog.end();
        serve();
    }

    /** True after {@link #close}, after a failure and after the end of the runtime. Any thread. */
    public boolean isClosed() {
        return isOver();
    }

    /** One coroutine that waits for a change. */
    private final class Next extends IoWaiter {
        private @Nullable Change change;

        Next() {
            super(loop, waiting, "change of " + root);
        }

        @Override
        protected void arm() {
            super.arm();
            WatchCore.this.serve();
        }

        @Override
        protected void disarm() {
            super.disarm();
            if (waiting.isEmpty()) stopTimer();
        }

        @Override
        protected void handOn() {
            backlog.giveBack(Objects.requireNonNull(change));
            WatchCore.this.serve();
        }
    }
}
