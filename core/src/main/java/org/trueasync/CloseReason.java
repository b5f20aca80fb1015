package org.trueasync;

/**
 * Why a {@link Channel} is closed. The first reason stays.
 *
 * <p>Any thread.
 */
public enum CloseReason {
    /** {@link Channel#close} was called, or the publisher that fed the channel has ended. */
    EXPLICIT,
    /** The runtime that the channel belongs to has ended. At present no channel is closed with this reason. */
    DISPOSED,
    /**
     * Receivers have waited for the whole of {@code noProducerTimeout} and nothing was sent, or the publisher that fed
     * the channel has failed.
     */
    NO_PRODUCERS,
    /** Senders have waited for the whole of {@code noConsumerTimeout} and nothing was received. */
    NO_CONSUMERS,
    /** A coroutine waited at a channel with soft timeouts, and nothing else in the runtime could make progress. */
    DEADLOCK,
    /** The scope in which the channel was created has been cancelled or disposed of. */
    SCOPE_DISPOSED
}
