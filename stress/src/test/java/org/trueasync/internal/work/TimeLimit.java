package org.trueasync.internal.work;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a task may take to come, on a machine where any thread may stand still for seconds, until it counts as lost.
 */
final class TimeLimit {
    private static final long NANOS = 60_000_000_000L;
    /** Once one was lost the test has failed: so that it ends soon where many are lost. */
    private static final long NANOS_ONCE_LOST = 1_000_000_000L;

    private static volatile boolean lost;

    private TimeLimit() {}

    /** Waits until so many have run; false if they do not come. */
    static boolean comes(AtomicInteger ran, int count) {
        long begin = System.nanoTime();
        while (ran.get() < count) {
            if (System.nanoTime() - begin >= (lost ? NANOS_ONCE_LOST : NANOS)) {
                lost = true;
                return ran.get() >= count;
            }
            Thread.onSpinWait();
        }
        return true;
    }
}
