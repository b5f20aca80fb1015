package org.trueasync.spi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the thread of a loop on one processor, until it is closed. What {@link Reactor#pin} returns.
 *
 * <p>A thread begins with the processors of the one that starts it. So threads that work for loops call {@link #leave} first.
 *
 * <p>Loop thread only, except {@link #leave} and {@link #release}.
 */
public abstract class ProcessorPin implements AutoCloseable {
    /**
     * By processor, the one that was taken from most processors. They stay when they are closed: a thread that was started before may begin after.
     */
    private static final Map<Integer, ProcessorPin> PINS = new ConcurrentHashMap<>();

    /** For reactors. On the thread that is pinned. */
    protected ProcessorPin() {}

    /** The thread is pinned. For reactors. */
    protected final void begun() {
        PINS.merge(processor(), this, (known, next) -> known.freedom() > next.freedom() ? known : next);
    }

    /**
     * To be called first by a thread that a loop may have started: if it is on the processor of a pinned loop and nowhere else, it gets the processors that the loop had before. Any thread but a loop's.
     */
    public static void leave() {
        for (ProcessorPin pin : PINS.values()) if (pin.release()) return;
    }

    /** The number that the system has for the processor. */
    public abstract int processor();

    /** On how many processors the thread could run before. */
    protected abstract int freedom();

    /**
     * Gives the calling thread the processors that the pinned one had before, if it is on this processor and nowhere else. Any thread.
     *
     * @return false if it is not
     */
    protected abstract boolean release();

    /** Gives the thread the processors that it had before. On that thread. */
    @Override
    public abstract void close();
}
