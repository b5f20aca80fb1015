package org.trueasync.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;
import org.trueasync.spi.FileHandle;

/**
 * Opens a FIFO, which blocks a helper thread until the other side is opened. If the opening is given up, this class
 * frees the thread: it opens the FIFO for both sides for a moment, which on Linux never waits (fifo(7)). That wakes all
 * openings of the same FIFO. So it is left to the last one of this process that is given up.
 */
final class FifoOpening extends Work<FileHandle> {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often a thread is tried to be freed: it may enter the system's call a moment later. */
    private static final int TRIES = 1000;

    /** How many coroutines wait for an opening of each FIFO, by its real path. */
    private static final ConcurrentMap<Path, Integer> WAITING = new ConcurrentHashMap<>();

    private final Path fifo;
    private final Call call;
    private boolean waits = true;

    /** Opens one side on a helper thread, and notes when the system's call has returned. */
    private static final class Call implements Callable<FileHandle> {
        private final Callable<FileHandle> opening;
        private volatile boolean returned;

        Call(Callable<FileHandle> opening) {
            this.opening = opening;
        }

        @Override
        public FileHandle call() throws Exception {
            try {
                return opening.call();
            } finally {
                returned = true;
            }
        }
    }

    private FifoOpening(Loop loop, String what, Path fifo, Call call) {
        super(loop, Workers.DEVICES, what, call, Opening::discard);
        this.fifo = fifo;
        this.call = call;
        WAITING.merge(fifo, 1, Integer::sum);
    }

    /**
     * Opens one side of a FIFO. Suspends until the other side has been opened.
     *
     * @param what the name of the call, for reports and errors
     * @param fifo the real path of the FIFO
     * @param opening opens one side, on a helper thread
     * @param token gives the wait up, or null
     */
    static FileHandle open(
            Loop loop, String what, Path fifo, Callable<FileHandle> opening, @Nullable Completable<?> token) {
        var mine = new FifoOpening(loop, what, fifo, new Call(opening));
        try {
            return Objects.requireNonNull(mine.await(token));
        } finally {
            mine.stopsWaiting();
        }
    }

    private void stopsWaiting() {
        if (waits) WAITING.computeIfPresent(fifo, (k, count) -> count == 1 ? null : count - 1);
        waits = false;
    }

    /**
     * Makes the first attempt on the loop thread at once: the caller may delete the FIFO next, and then it can't be
     * opened any more.
     */
    @Override
    protected void leftUnderWay() {
        stopsWaiting();
        if (tryToFree()) Workers.FILES.execute(this::free);
    }

    /** On a helper thread. */
    private void free() {
        for (int tries = TRIES; tries > 0 && tryToFree(); tries--) LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * False if the thread has left, or is another one's to free. No opening begins meanwhile: it would be woken too.
     */
    private boolean tryToFree() {
        boolean[] tried = {false};
        WAITING.computeIfAbsent(fifo, k -> {
            tried[0] = !call.returned;
            if (tried[0]) openBothSides();
            return null;
        });
        return tried[0];
    }

    private void openBothSides() {
        try {
            FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
        } catch (IOException | RuntimeException e) {
            // Deleted, or it may not be opened: the thread stays until another process opens the other side.
        }
    }
}
