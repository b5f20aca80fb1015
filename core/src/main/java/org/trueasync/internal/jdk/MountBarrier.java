package org.trueasync.internal.jdk;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a loop from mounting anything while another thread walks stacks that are not mounted. The loop only reads one
 * field before each mount. The walker does the rest: after {@link #begin} it looks at the stack of the mounted thread,
 * for which the JVM stops that thread for a moment. If it finds the thread waiting, the loop is not between its read of
 * the field and a mount, and will see the field before its next mount.
 */
public final class MountBarrier {
    private static final long RECHECK_NANOS = 1_000_000;

    private volatile boolean wanted;

    /** Keeps the loop from mounting. One walker at a time: waits for an earlier one. */
    public synchronized void begin() {
        boolean interrupted = false;
        while (wanted) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        wanted = true;
        if (interrupted) Thread.currentThread().interrupt();
    }

    public synchronized void end() {
        wanted = false;
        notifyAll();
    }

    public boolean isWanted() {
        return wanted;
    }

    /** Waits while there is a walker. On the loop thread; walks are short. No lock, as the frame may not meet one. */
    public void await() {
        boolean interrupted = Thread.interrupted();
        while (wanted) {
            LockSupport.parkNanos(this, RECHECK_NANOS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
