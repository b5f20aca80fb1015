package org.trueasync.spi;

/**
 * An event that any thread can fire. Fired several times before the loop comes to it, it happens once; fired while nobody waits, it happens at the next
 * wait. It is not closed by firing.
 *
 * <p>Loop thread only, except {@link #trigger}, which any thread may call, and what asks for the state.
 */
public abstract class TriggerEvent extends SourceEvent {
    /**
     * An event counted there.
     *
     * @param activeEvents the runtime's count
     */
    protected TriggerEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /** Fires. Any thread, at any time; once the event or its run has ended it does nothing. */
    public abstract void trigger();
}
