package org.trueasync.internal.kernel;

import java.util.List;

/**
 * Something that a coroutine can wait for, by {@link WaitState#suspend} or, for events,
 * {@link WaitState#awaitEvents}. These begin the wait, suspend the coroutine until it is woken, and throw the error
 * with which it was woken, if any.
 *
 * <p>There are four kinds: events ({@link EventWait}), time ({@link Sleep}), the others' turn ({@link YieldWait}), and
 * what other code hands over directly, without an event and a subscription (the waiters of a {@code WaitQueue}).
 */
public interface Wait extends WaitEnd {
    /**
     * Begins the wait: the coroutine is about to suspend. If it is woken in here already, it does not suspend.
     *
     * @param coroutine to be woken
     */
    void begin(CoroutineImpl<?> coroutine);

    /**
     * Ends the wait: its coroutine was woken, by this wait or otherwise, or could not suspend. Also called if
     * {@link #begin} has thrown.
     */
    @Override
    void end();

    /**
     * Says what is waited for, for reports.
     *
     * @param lines where it goes, a line for each thing
     */
    void describe(List<String> lines);
}
