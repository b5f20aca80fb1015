package org.trueasync.internal.channel;

/**
 * Observes a channel: for its time-outs, or for the publisher that feeds it. It may close the channel, and must not
 * change it in any other way.
 */
interface WaitObserver {
    /**
     * Called when the first coroutine of one side begins to wait.
     *
     * @param senders true if it waits to send
     */
    void waitBegins(boolean senders);

    /**
     * Called when the last waiter of one side has left the queue.
     *
     * @param senders true if it waited to send
     */
    void waitEnds(boolean senders);

    void progress();

    /** Called when the channel has been closed. Later calls may be ignored. */
    void closed();
}
