package org.trueasync.internal.jdk;

import java.util.concurrent.Executor;

/**
 * A virtual thread that is its own scheduler's: one platform thread mounts it, and {@link ThreadSwitch} has it leave and come back. What it runs, and what becomes of it when JDK code parks
 * it, is the subclass's.
 */
public abstract class SwitchedThread implements Executor, Runnable {
    /** The thread itself. */
    public final Thread thread;

    /** A thread that somebody asked for by itself: it ends with what it runs, so that who joins it is not kept. */
    public final boolean dedicated;

    /** Its {@code Thread.yield} is on its way to us, see {@link YieldSwitch}. Loop thread. */
    boolean yielding;

    /**
     * Not started.
     *
     * @param dedicated whether somebody asked for it by itself
     */
    protected SwitchedThread(boolean dedicated) {
        this.dedicated = dedicated;
        this.thread = VirtualThreads.create(this, this, dedicated);
    }

    /** True while we have it suspended. */
    protected abstract boolean isHeld();

    /** True on the thread that mounts it, and on those that it has mounted. */
    protected abstract boolean isOnLoop();

    /** The JDK's task for this thread. */
    public final Runnable task() {
        return VirtualThreads.taskOf(thread);
    }
}
