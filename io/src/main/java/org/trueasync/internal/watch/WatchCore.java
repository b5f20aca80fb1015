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
 * A watched path as coroutines see it: changes go into the {@link Backlog}, and from there to the coroutine that has
 * waited longest. If that coroutine is cancelled after it was given a change, the next one gets the change.
 *
 * <p>A watcher is in the active count only while a coroutine waits, so a forgotten watcher keeps no run alive.
 */
public final class WatchCore {
    private final Loop loop;
    private final Path root;
    private final WatchSettings settings;
    private final Backlog backlog;
    private final WaitQueue<Next> waiting = new WaitQueue<>();
    private final Watched watched;
    /** Set while a coroutine waits for a change that is due later. */
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
     * Begins to watch. If the settings ask for sub-folders, suspends until those that exist are watched too.
     *
     * @param path a folder or a file
     * @param settings how to watch
     * @throws InputOutputException if the path does not exist or can't be watched
     * @throws IllegalArgumentException if the path is not of the default file system
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
     * Arranges that the watcher is closed and reported if the user's object becomes unreachable. A coroutine that waits
     * has that object on its stack, so the watcher is not lost meanwhile.
     *
     * @param user the object that the program holds; this object must not refer to it
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

    /** The watched path, absolute. */
    Path root() {
        return root;
    }

    WatchSettings settings() {
        return settings;
    }

    // ---- taking

    /**
     * Returns the next change; suspends while none is due. Null once the watcher is closed and all changes were taken.
     *
     * @throws InputOutputException if watching has failed and all changes before that were taken
     */
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

    /**
     * Records a change if its name counts; wakes a waiting coroutine if a change is due. In the loop's frame or in the
     * service coroutine.
     */
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

    /** Sets the timer, unless it is set already. When it fires and nothing is due yet, it is set again. */
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

    /**
     * Ends the watching because of an error. Changes noticed before are still handed out; after them, each call of
     * {@link #next} throws the error.
     */
    void fail(InputOutputException error) {
        if (closed) return;
        failure = error;
        end();
    }

    /** Stops watching; changes noticed before are still handed out. A second call does nothing. Loop thread. */
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

    /** The wait of one coroutine for a change. */
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
