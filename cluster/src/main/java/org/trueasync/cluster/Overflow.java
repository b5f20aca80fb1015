package org.trueasync.cluster;

/**
 * What happens when a subscriber is too slow, and its backlog is full. The sender is never held up.
 *
 * <p>Any thread.
 */
public enum Overflow {
    /** The subscription ends: the subscriber gets its backlog, and then an exception. */
    FAIL,
    /** What comes while there is no room is dropped, and counted. */
    DROP
}
