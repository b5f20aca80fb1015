package org.trueasync.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
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
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;
import org.trueasync.spi.FileHandle;

/**
 * Opens a FIFO, which blocks its thread until somebody opens the other side. If it is given up, it becomes that somebody itself, for a moment: it
 * opens the FIFO for both sides, which on Linux never waits (fifo(7)), and the thread is free again.
 *
 * <p>Whoever else waits for the same FIFO is woken by that too. So, of the openings of this process, only the last one that is left is ended this way; the
 * threads of those that were given up before it are freed together with its own.
 */
final class FifoOpening extends Work<FileHandle> {
    private static final int FORMAT = 0xf000;
    private static final int FIFO = 0x1000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How many openings are wanted of each FIFO. Whoever opens both sides does so while nobody can be added. */
    private static final ConcurrentMap<Object, Integer> WANTED = new ConcurrentHashMap<>();

    /** How many threads are in the call, of each FIFO. */
    private static final ConcurrentMap<Object, Integer> BLOCKED = new ConcurrentHashMap<>();

    /** The call, and whether it is still to be made. */
    private static final class Call implements Callable<@Nullable FileHandle> {
        final Object key;
        final Callable<FileHandle> opening;
        volatile boolean givenUp;

        Call(Object key, Callable<FileHandle> opening) {
            this.key = key;
            this.opening = opening;
        }

        /** On a helper thread. It counts itself before it looks, and who gives up looks after having said so: one of the two sees the other. */
        @Override
        public @Nullable FileHandle call() throws Exception {
            add(BLOCKED, key);
            try {
                return givenUp ? null : opening.call();
            } finally {
                remove(BLOCKED, key);
            }
        }
    }

    private final Path path;
    private final Call call;
    private boolean wanted = true;

    private FifoOpening(Scheduler scheduler, String what, Path path, Call call) {
        super(scheduler, Workers.DEVICES, what, call, Opening::discard);
        this.path = path;
        this.call = call;
        add(WANTED, call.key);
    }

    /**
     * Suspends until the other side has been opened.
     *
     * @param key equal for the same FIFO, see {@link java.nio.file.attribute.BasicFileAttributes#fileKey}
     */
    static FileHandle open(
            Scheduler scheduler,
            String what,
            Path path,
            Object key,
            Callable<FileHandle> opening,
            @Nullable Completable<?> token) {
        var work = new FifoOpening(scheduler, what, path, new Call(key, opening));
        try {
            return Objects.requireNonNull(work.await(token));
        } finally {
            work.unwanted();
        }
    }

    private static void add(ConcurrentMap<Object, Integer> counts, Object key) {
        counts.merge(key, 1, Integer::sum);
    }

    private static void remove(ConcurrentMap<Object, Integer> counts, Object key) {
        counts.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1);
    }

    private void unwanted() {
        if (wanted) remove(WANTED, call.key);
        wanted = false;
    }

    /** True if the system says so. Asks the disk. */
    static boolean isFifo(Path path) {
        try {
            return ((int) Files.getAttribute(path, "unix:mode") & FORMAT) == FIFO;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /** The first try is made right here, as the one who has given up may delete the FIFO next: nobody could open it any more. */
    @Override
    protected void leftUnderWay() {
        call.givenUp = true;
        unwanted();
        if (tryToFree()) Workers.FILES.execute(this::free);
    }

    /** A thread may have been on its way into the call at the first try. */
    private void free() {
        while (tryToFree()) LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** False if there is no thread to be freed, or none that may or can be. */
    private boolean tryToFree() {
        boolean[] again = {false};
        WANTED.compute(call.key, (k, n) -> {
            again[0] = n == null && BLOCKED.containsKey(k) && openBothSides();
            return n;
        });
        return again[0];
    }

    private boolean openBothSides() {
        try {
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
            return true;
        } catch (IOException | RuntimeException e) {
            return false; // deleted, or not to be opened this way: the thread stays until somebody comes
        }
    }
}
