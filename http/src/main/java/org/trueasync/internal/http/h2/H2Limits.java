package org.trueasync.internal.http.h2;

/**
 * What a connection allows its peer. Times in nanoseconds; 0 for ever.
 *
 * @param headBytes of a head, unpacked
 * @param streams at a time; twice as many may still be worked on here
 * @param streamWindow bytes of a body that come before the program reads
 * @param connectionWindow the same, of all streams together
 * @param events a second, of those that cost the peer nothing: resets, pings, settings, empty frames
 * @param headNanos from the first byte of a head to its last
 * @param writeNanos how long a body waits for room in the windows of a peer that does not read
 */
public record H2Limits(
        int headBytes,
        int streams,
        int streamWindow,
        int connectionWindow,
        int events,
        long headNanos,
        long writeNanos) {}
