package org.trueasync.internal.channel;

/**
 * Observes a channel: for its time-outs, or for the publisher that feeds it. It may close the channel, and must not
 * change it in any other way.
 */
interface WaitObserver {
    /**
     * Called when the first waiter of one side has joined its queue.
     *
     * @param senders true if that is the queue of senders
     */
    void waitBegins(boolean senders);

    /**
     * Called when the last waiter of one side has left its queue.
     *
     * @param senders true if that is the queue of senders
     */
    void waitEnds(boolean senders);

    /** Called when a value was put into the channel or taken out. */
    void progress();

    /** Called once, when the channel has been closed. Receivers may wait on for values that are promised to others. */
    void closed();
}
