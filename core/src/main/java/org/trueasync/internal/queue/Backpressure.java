package org.trueasync.internal.queue;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Slows down callers that bring entries faster than a queue is worked off. Otherwise these would fill the heap, and the
 * processors would do nothing but collect it. A caller is slowed, never stopped: whoever works the queue off may be
 * held by something that waits for this very caller. Any thread.
 */
public final class Backpressure {
    /** So many entries may wait in a queue before callers are slowed down. */
    public static final int CROWD = 10_000;

    /** Between two looks a caller rests for so long; what is left of a crowd keeps the loop busy meanwhile. */
    public static final long PAUSE_NANOS = 1_000_000;

    /** For how long a call is held at most, just above the crowd; four times as long at twice the crowd, and so on. */
    static final long HOLD_NANOS = 10_000_000;

    private static final long MAX_HOLD_NANOS = 1_000_000_000;

    private Backpressure() {}

    /**
     * Returns once there is room, or the time for that is over.
     *
     * @param waiting how many entries there are
     * @param pause lets {@link #PAUSE_NANOS} pass; false to give up
     */
    public static void awaitRoom(IntSupplier waiting, BooleanSupplier pause) {
        long begin = System.nanoTime();
        while (mustWait(waiting, begin) && pause.getAsBoolean()) {}
    }

    /**
     * As {@link #awaitRoom(IntSupplier, BooleanSupplier)}, for a thread that may be parked. Its interrupt status is
     * taken away meanwhile, as no park would last otherwise: an interrupted thread floods as any other one.
     */
    public static void awaitRoom(IntSupplier waiting) {
        long begin = System.nanoTime();
        boolean interrupted = false;
        while (mustWait(waiting, begin)) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private static boolean mustWait(IntSupplier waiting, long begin) {
        int now = waiting.getAsInt();
        return now > CROWD && System.nanoTime() - begin < holdNanos(now);
    }

    static long holdNanos(int waiting) {
        long crowds = waiting / CROWD;
        return Math.min(MAX_HOLD_NANOS, crowds * crowds * HOLD_NANOS);
    }
}
