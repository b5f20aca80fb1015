package org.trueasync.internal.http.server;

import org.jspecify.annotations.Nullable;

/**
 * A request that is answered with an error status, by the server itself. The text goes to the peer.
 *
 * @param status 400 to 599
 * @param text what is wrong, in a line
 */
record Refusal(int status, String text) {
    static Refusal of(int status, @Nullable String text) {
        return new Refusal(status, text == null || text.isBlank() ? "bad request" : text);
    }
}
