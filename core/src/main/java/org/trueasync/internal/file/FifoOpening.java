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
 * Opens a FIFO, which blocks a helper thread until the other side is opened. If the opening is abandoned, this class
 * frees the thread: it opens the FIFO for both sides for a moment, which on Linux never waits (fifo(7)).
 *
 * <p>That also wakes all other openings of the same FIFO. So this is done only when all openings of this process on
 * that FIFO are abandoned. Their threads are freed together.
 *
 * <p>The thread of an abandoned opening may enter the system's call a moment later. If the FIFO was deleted and made
 * again meanwhile, the thread enters the new one, and would be a false peer of a new opening. So if all openings under
 * way are abandoned, a new opening waits until their threads have left, for about a second at most. What an abandoned
 * opening opens is closed.
 */
final class FifoOpening extends Work<FileHandle> {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * The number of attempts to free threads, one pause apart, so that they end after about a second: a thread that
     * waits in a deleted FIFO can't be freed.
     */
    private static final int TRIES = 1000;

    /**
     * The calls under way, for each FIFO by its real path. Each entry is also a lock: while both sides are opened, no
     * call can be added.
     */
    private static final ConcurrentMap<Path, Set<Call>> UNDER_WAY = new ConcurrentHashMap<>();

    /** What a call does next. */
    private enum Next {
        OPEN,
        WAIT,
        LEAVE
    }

    /** The blocking call on a helper thread. */
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
                // Closed before this call leaves: a new opening may wait for that, and must not meet this side.
                Opening.close(opened);
                return null;
            } finally {
                leave();
            }
        }

        private boolean isAbandoned() {
            boolean[] found = {false};
            UNDER_WAY.computeIfPresent(fifo, (k, calls) -> {
                found[0] = abandoned;
                return calls;
            });
            return found[0];
        }

        /**
         * Decides what this call does next. If it was abandoned, that is LEAVE. If all calls under way are abandoned
         * and their threads have yet to leave, it is WAIT; in this case both sides were opened, to free them. Otherwise
         * it is OPEN, and this call is now under way.
         *
         * @param triesLeft how often WAIT may still be returned; with 0 the abandoned calls are forgotten
         */
        private Next enter(int triesLeft) {
            Next[] next = {Next.OPEN};
            UNDER_WAY.compute(fifo, (k, calls) -> {
                if (abandoned) {
                    next[0] = Next.LEAVE;
                    return calls;
                }
                Set<Call> others = calls;
                if (others != null && allAbandoned(others)) {
                    if (triesLeft > 0 && openBothSides()) {
                        next[0] = Next.WAIT;
                        return others;
                    }
                    others = null; // their threads can't be freed; forgets them
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

        /**
         * Opens both sides if all calls under way are abandoned. False if no call is under way, one is not abandoned,
         * or the FIFO can't be opened.
         */
        boolean tryToFree() {
            boolean[] opened = {false};
            UNDER_WAY.computeIfPresent(fifo, (k, calls) -> {
                opened[0] = allAbandoned(calls) && openBothSides();
                return calls;
            });
            return opened[0];
        }

        /**
         * Repeats {@link #tryToFree}, because a thread may enter the system's call after the first attempt. On a helper
         * thread.
         */
        void free() {
            for (int tries = TRIES; tries > 0 && tryToFree(); tries--) LockSupport.parkNanos(PAUSE_NANOS);
        }

        private boolean openBothSides() {
            try {
                FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)
                        .close();
                return true;
            } catch (IOException | RuntimeException e) {
                // If the FIFO was deleted, its threads stay for ever. If it may not be opened, they stay until another
                // process opens the other side.
                return false;
            }
        }

        private static boolean allAbandoned(Set<Call> calls) {
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
     * Opens one side of a FIFO. Suspends until the other side has been opened.
     *
     * @param what the name of the call, for reports and errors
     * @param fifo the real path of the FIFO
     * @param opening opens one side, on a helper thread
     * @param token gives the wait up, or null
     */
    static FileHandle open(
            Loop loop, String what, Path fifo, Callable<FileHandle> opening, @Nullable Completable<?> token) {
        return Objects.requireNonNull(new FifoOpening(loop, what, new Call(fifo, opening)).await(token));
    }

    /**
     * Makes the first attempt on the loop thread at once: the caller may delete the FIFO next, and then it can't be
     * opened any more.
     */
    @Override
    protected void leftUnderWay() {
        call.abandon();
        if (call.tryToFree()) Workers.FILES.execute(call::free);
    }
}
