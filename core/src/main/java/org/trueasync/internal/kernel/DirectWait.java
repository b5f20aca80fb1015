package org.trueasync.internal.kernel;

/**
 * What a coroutine waits for when the cost of an event and a subscription would show: it calls the coroutine's {@code wake} itself. Cancellation and reports
 * treat it as an event. See {@link EmbeddedWaker#waitFor}.
 */
public interface DirectWait {
    /** The coroutine is about to suspend. */
    void begin();

    /** The wait is over, for whatever reason. Does not throw. */
    void end();

    /** One line for reports. */
    String info();
}
