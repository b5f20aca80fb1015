package org.trueasync.spi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the thread of a loop on one processor until it is closed. Returned by {@link Reactor#pin}.
 *
 * <p>A new thread inherits the allowed processors of the thread that starts it. So a thread that works for loops calls
 * {@link #leave} first.
 *
 * <p>Loop thread only, except {@link #freedom}, {@link #leave} and {@link #release}.
 */
public abstract class ProcessorPin implements AutoCloseable {
    /**
     * For each processor the pin whose thread could run on the most processors before. Pins stay here after they are
     * closed: a thread that was started before may begin to run later.
     */
    private static final Map<Integer, ProcessorPin> PINS = new ConcurrentHashMap<>();

    /** Called by reactors, on the thread that is pinned. */
    protected ProcessorPin() {}

    /** Registers this pin. Called by reactors once the thread is pinned. */
    protected final void begun() {
        PINS.merge(processor(), this, (known, next) -> known.freedom() > next.freedom() ? known : next);
    }

    /**
     * Frees the calling thread from an inherited pin: if it may run on the processor of a pinned loop only, it gets the
     * processors that the loop had before. A thread that a loop may have started calls this first. Any thread but a
     * loop's.
     */
    public static void leave() {
        for (ProcessorPin pin : PINS.values()) if (pin.release()) return;
    }

    /** The system's number of the processor. */
    public abstract int processor();

    /** Number of processors that the thread could run on before. Any thread. */
    protected abstract int freedom();

    /**
     * Gives the calling thread the processors that the pinned thread had before, if it may run on this processor only.
     * Any thread.
     *
     * @return false if it may run elsewhere too; nothing is changed then
     */
    protected abstract boolean release();

    /** Gives the pinned thread back the processors that it had before. On that thread. */
    @Override
    public abstract void close();
}
