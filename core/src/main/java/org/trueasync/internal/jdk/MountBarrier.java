package org.trueasync.internal.jdk;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a loop from mounting anything while another thread walks stacks that are not mounted. The loop reads one field before each mount; the walker pays for the
 * rest: after {@link #begin} it makes the JVM stop the mounted thread for a moment, as any look at its stack does, and if it finds it waiting there, the loop
 * is not between its look at the field and a mount, and will see the field before the next one.
 */
public final class MountBarrier {
    private static final long LOOK_AGAIN = 1_000_000;

    private volatile boolean wanted;

    /** One walker at a time. */
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

    /** On the loop thread; walks are short. No lock, as the frame may not meet one. */
    public void await() {
        boolean interrupted = Thread.interrupted();
        while (wanted) {
            LockSupport.parkNanos(this, LOOK_AGAIN);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
