package org.trueasync.internal.testkit;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread's turn to run. */
final class Turn {
    /**
     * How often it is looked at before the thread is parked: hosts answer each other within microseconds, and waking a
     * thread takes longer.
     */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 2_000 : 0;

    private volatile boolean granted;
    private volatile @Nullable Thread thread;

    /** Makes it the calling thread's. */
    void bind() {
        thread = Thread.currentThread();
    }

    /** Lets the thread run. The caller waits from now on, or ends. */
    void grant() {
        granted = true;
        LockSupport.unpark(thread);
    }

    /** Waits for it. On its own thread. */
    void await() {
        for (int spin = 0; spin < SPINS && !granted; spin++) Thread.onSpinWait();
        boolean interrupted = false;
        while (!granted) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        granted = false;
        if (interrupted) Thread.currentThread().interrupt();
    }
}
