package org.trueasync.spi;

/**
 * The number of visible event sources of one runtime that are armed or in flight. If it is zero and no coroutine is
 * ready, nothing can wake a coroutine any more. A {@link SourceEvent} counts itself. Loop thread only, except
 * {@code count}.
 */
public abstract class ActiveEvents {
    /** Called by the runtime's implementation. */
    protected ActiveEvents() {}

    /**
     * Fails unless called on the thread to which the events counted here belong.
     *
     * @throws org.trueasync.AsyncException on another thread; the message names the right one
     */
    public abstract void requireLoopThread();

    /** The sources that can fire now, never negative. */
    public abstract int count();

    /**
     * Counts one more source that can fire.
     *
     * @throws org.trueasync.AsyncException on a foreign thread
     */
    protected abstract void increment();

    /**
     * Counts one source less that can fire.
     *
     * @throws org.trueasync.AsyncException on a foreign thread
     * @throws IllegalStateException if the count is zero
     */
    protected abstract void decrement();
}
