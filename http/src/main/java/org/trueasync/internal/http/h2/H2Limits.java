package org.trueasync.internal.http.h2;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a connection allows its peer.
 *
 * @param headBytes of a head, unpacked
 * @param streams at a time
 * @param streamWindow bytes of a body that come before the program reads
 * @param connectionWindow the same, of all streams together
 * @param events a second, of those that cost the peer nothing: resets, pings, settings, empty frames
 * @param write how long a body waits for room in the windows of a peer that does not read; null for ever
 */
public record H2Limits(
        int headBytes,
        int streams,
        int streamWindow,
        int connectionWindow,
        int events,
        @Nullable Duration write) {}
