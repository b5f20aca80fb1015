package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the thread of a loop on one processor, until it is closed. What {@link Reactor#pin} returns.
 *
 * <p>A thread begins with the processors of the one that starts it. So whoever starts threads that work for loops has them call {@link #leave} first.
 *
 * <p>Loop thread only, except {@link #leave} and {@link #release}.
 */
public abstract class ProcessorPin implements AutoCloseable {
    /** The last one. It stays when that is closed: a thread that was started before may begin after. */
    private static volatile @Nullable ProcessorPin last;

    /** For reactors. On the thread that is pinned. */
    protected ProcessorPin() {}

    /** The thread is pinned. For reactors. */
    protected final void begun() {
        last = this;
    }

    /**
     * If threads of loops have been pinned, gives the calling thread the processors that they had before. Any thread but a loop's.
     */
    public static void leave() {
        ProcessorPin pin = last;
        if (pin != null) pin.release();
    }

    /** The number that the system has for the processor. */
    public abstract int processor();

    /** Gives the calling thread the processors that the pinned one had before. Any thread. */
    protected abstract void release();

    /** Gives the thread the processors that it had before. On that thread. */
    @Override
    public void close() {
        release();
    }
}
