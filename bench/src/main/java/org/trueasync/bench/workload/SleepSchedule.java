package org.trueasync.bench.workload;

/**
 * How long sleeper {@code i} sleeps: 1 to 1,000 ms, every value equally often and in an order that neither favours nor
 * punishes a heap or a wheel.
 */
public final class SleepSchedule {

    public static final int LONGEST_MILLIS = 1_000;

    /* Coprime to 1,000, so that a thousand successive sleepers have a thousand different delays. */
    private static final long STRIDE = 7_919;

    private SleepSchedule() {}

    public static int millis(int sleeper) {
        return 1 + (int) (sleeper * STRIDE % LONGEST_MILLIS);
    }
}
