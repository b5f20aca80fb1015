package org.trueasync.internal.http.websocket;

import java.util.List;

/**
 * What a socket is told at its start.
 *
 * @param protocols that this side speaks
 * @param maxMessageBytes of a message that comes, decompressed
 * @param pingNanos after how long a silence the peer is asked whether it is there; 0 for never
 * @param compression whether it is agreed to
 */
public record WebSocketSettings(List<String> protocols, int maxMessageBytes, long pingNanos, boolean compression) {
    public static final WebSocketSettings DEFAULTS =
            new WebSocketSettings(List.of(), 1024 * 1024, 30_000_000_000L, false);
}
