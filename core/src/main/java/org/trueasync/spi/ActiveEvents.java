package org.trueasync.spi;

/**
 * How many visible sources of events of one runtime are armed or in flight. Zero, with nothing else to run, means that nothing can wake
 * anyone. A {@link SourceEvent} counts itself. Loop thread only, except {@code count}.
 */
public abstract class ActiveEvents {
    /** For the runtime. */
    protected ActiveEvents() {}

    /**
     * Fails unless called on the thread that the events counted here belong to.
     *
     * @throws org.trueasync.AsyncException says which thread that is
     */
    public abstract void requireLoopThread();

    /** The sources that can fire now, never negative. */
    public abstract int count();

    /**
     * One more source can fire.
     *
     * @throws org.trueasync.AsyncException on a foreign thread
     */
    protected abstract void increment();

    /**
     * One source less can fire.
     *
     * @throws org.trueasync.AsyncException on a foreign thread
     */
    protected abstract void decrement();
}
