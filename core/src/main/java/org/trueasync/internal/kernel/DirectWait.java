package org.trueasync.internal.kernel;

/**
 * What a coroutine waits for when the cost of an event and a subscription would show: it calls the coroutine's {@code wake} itself. Cancellation and reports
 * treat it as an event. See {@link EmbeddedWaker#waitFor}.
 */
public interface DirectWait extends WaitEnd {
    /** The coroutine is about to suspend. */
    void begin();

    /** One line for reports. */
    String info();
}
