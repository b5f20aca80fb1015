package org.trueasync.cluster;

/**
 * What happens when a subscriber is too slow, and its backlog is full. The sender never waits.
 *
 * <p>Any thread.
 */
public enum Overflow {
    /** The subscription ends: the subscriber gets its backlog, and then an exception. */
    FAIL,
    /** Values that come while there is no room are dropped, and counted. */
    DROP
}
