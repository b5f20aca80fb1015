package org.trueasync.internal.work;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a test waits for the run of a task before the task counts as lost. On the machines of the tests any thread
 * may stand still for seconds.
 */
final class TimeLimit {
    private static final long NANOS = 60_000_000_000L;
    /** The limit once a task was lost. The test has failed then, and should end soon even if many tasks are lost. */
    private static final long NANOS_ONCE_LOST = 1_000_000_000L;

    private static volatile boolean lost;

    private TimeLimit() {}

    /** Waits until this many tasks have run; false if they do not within the limit. */
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
