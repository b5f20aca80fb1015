package org.trueasync.spi;

/**
 * An event that any thread can fire, with the value null. If it is fired several times before the loop handles it, it
 * happens once. If it is fired while no coroutine waits for it, it happens at the next wait. Firing does not close it.
 *
 * <p>Loop thread only, except {@link #trigger}, which any thread may call, and the methods that return a state.
 */
public abstract class TriggerEvent extends SourceEvent {
    /**
     * An event that is counted as active while it is started.
     *
     * @param activeEvents the runtime's count
     */
    protected TriggerEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /** Fires the event. Any thread, at any time; does nothing once the event is closed or its run has ended. */
    public abstract void trigger();
}
