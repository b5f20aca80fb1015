package org.trueasync.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
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
 * Opens a FIFO, which blocks its thread until somebody opens the other side. If it is given up, it becomes that somebody itself, for a moment: it
 * opens the FIFO for both sides, which on Linux never waits (fifo(7)), and the thread is free again.
 *
 * <p>Whoever else waits for the same FIFO is woken by that too. So, of the openings of this process, only the last one that is left is ended this way; the
 * threads of those that were given up before it are freed together with its own.
 *
 * <p>A thread whose opening was given up may enter the system's call a moment later. If the FIFO was made anew meanwhile, it enters the new one, and would
 * be the other side of an opening that nobody has met. So an opening begins only when no such thread is left, and what it has opened is closed.
 */
final class FifoOpening extends Work<FileHandle> {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often to try to free a thread, one pause apart. One that waits in a FIFO that was deleted can't be freed. */
    private static final int TRIES = 1000;

    /** The calls that are made, of each FIFO by its real path. Its entries are the locks: both sides are opened while nobody can be added. */
    private static final ConcurrentMap<Path, Set<Call>> UNDER_WAY = new ConcurrentHashMap<>();

    /** What a call is to do next. */
    private enum Next {
        OPEN,
        WAIT,
        LEAVE
    }

    /** The call, and whether it is still to be made. */
    private static final class Call implements Callable<@Nullable FileHandle> {
        private final Path fifo;
        private final Callable<FileHandle> opening;
        /** Guarded by the FIFO's entry in {@link #UNDER_WAY}. */
        private boolean abandoned;

        Call(Path fifo, Callable<FileHandle> opening) {
            this.fifo = fifo;
            this.opening = opening;
        }

        /** On a helper thread. */
        @Override
        public @Nullable FileHandle call() throws Exception {
            Next next;
            for (int tries = TRIES; (next = enter(tries)) == Next.WAIT; tries--) LockSupport.parkNanos(PAUSE_NANOS);
            if (next == Next.LEAVE) return null;
            try {
                FileHandle opened = opening.call();
                if (!isAbandoned()) return opened;
                // Before the next opening begins, which would meet this side.
                Opening.close(opened);
                return null;
            } finally {
                leave();
            }
        }

        private boolean isAbandoned() {
            boolean[] is = {false};
            UNDER_WAY.computeIfPresent(fifo, (k, calls) -> {
                is[0] = abandoned;
                return calls;
            });
            return is[0];
        }

        /** Adds this call to those under way, unless there is a reason not to. */
        private Next enter(int triesLeft) {
            Next[] next = {Next.OPEN};
            UNDER_WAY.compute(fifo, (k, calls) -> {
                if (abandoned) {
                    next[0] = Next.LEAVE;
                    return calls;
                }
                Set<Call> others = calls;
                if (others != null && allGivenUp(others)) {
                    if (triesLeft > 0 && openBothSides()) {
                        next[0] = Next.WAIT;
                        return others;
                    }
                    others = null; // they can't be freed, and are not tried again
                }
                if (others == null) others = new HashSet<>();
                others.add(this);
                return others;
            });
            return next[0];
        }

        private void leave() {
            UNDER_WAY.computeIfPresent(fifo, (k, calls) -> {
                calls.remove(this);
                return calls.isEmpty() ? null : calls;
            });
        }

        void abandon() {
            UNDER_WAY.compute(fifo, (k, calls) -> {
                abandoned = true;
                return calls;
            });
        }

        /** False if there is no thread to be freed, or none that may or can be. */
        boolean tryToFree() {
            boolean[] again = {false};
            UNDER_WAY.computeIfPresent(fifo, (k, calls) -> {
                again[0] = allGivenUp(calls) && openBothSides();
                return calls;
            });
            return again[0];
        }

        /** A thread may have been on its way into the call at the first try. */
        void free() {
            for (int tries = TRIES; tries > 0 && tryToFree(); tries--) LockSupport.parkNanos(PAUSE_NANOS);
        }

        private boolean openBothSides() {
            try {
                FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)
                        .close();
                return true;
            } catch (IOException | RuntimeException e) {
                return false; // deleted, or not to be opened this way: the thread stays until somebody comes
            }
        }

        private static boolean allGivenUp(Set<Call> calls) {
            for (Call call : calls) if (!call.abandoned) return false;
            return true;
        }
    }

    private final Call call;

    private FifoOpening(Loop loop, String what, Call call) {
        super(loop, Workers.DEVICES, what, call, Opening::discard);
        this.call = call;
    }

    /**
     * Suspends until the other side has been opened.
     *
     * @param fifo its real path
     */
    static FileHandle open(
            Loop loop, String what, Path fifo, Callable<FileHandle> opening, @Nullable Completable<?> token) {
        return Objects.requireNonNull(new FifoOpening(loop, what, new Call(fifo, opening)).await(token));
    }

    /** The first try is made right here, as the one who has given up may delete the FIFO next: nobody could open it any more. */
    @Override
    protected void leftUnderWay() {
        call.abandon();
        if (call.tryToFree()) Workers.FILES.execute(call::free);
    }
}
