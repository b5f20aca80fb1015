package org.trueasync.internal.jdk;

import java.util.concurrent.Executor;

/**
 * A virtual thread whose scheduler is this object. One platform thread mounts it, and {@link ThreadSwitch} suspends and
 * resumes it. The subclass says what it runs, and what happens when JDK code parks it.
 */
public abstract class SwitchedThread implements Executor, Runnable {
    /** The thread itself. */
    public final Thread thread;

    /** The thread was made for one task, by a thread factory: it ends with its task, so that a join returns. */
    public final boolean dedicated;

    /**
     * It is in a {@code Thread.yield} of ours that has not reached the scheduler yet, see {@link YieldSwitch}. Loop
     * thread.
     */
    boolean yielding;

    /**
     * Makes the thread, not started.
     *
     * @param dedicated whether it is made for one task
     */
    @SuppressWarnings("this-escape") // nothing runs before the thread is started
    protected SwitchedThread(boolean dedicated) {
        this.dedicated = dedicated;
        this.thread = VirtualThreads.create(this, this, dedicated);
    }

    /** True while we have it suspended. */
    protected abstract boolean isHeld();

    /** True on the platform thread that mounts this one, and on the virtual threads that are mounted there. */
    protected abstract boolean isOnLoop();

    /** The JDK's task for this thread. */
    public final Runnable task() {
        return VirtualThreads.taskOf(thread);
    }
}
