package org.trueasync.internal.channel;

/** Told of what happens at a channel: for its timeouts, and for what feeds it. It may close the channel, and touches it otherwise not. */
interface WaitObserver {
    /**
     * Somebody waits where nobody did.
     *
     * @param senders true if it is to send
     */
    void waitBegins(boolean senders);

    /**
     * Nobody waits any more.
     *
     * @param senders true if it was to send
     */
    void waitEnds(boolean senders);

    /** A value has come or gone. */
    void progress();

    /** The channel has been closed; what else it is told is of no interest from now on. */
    void closed();
}
