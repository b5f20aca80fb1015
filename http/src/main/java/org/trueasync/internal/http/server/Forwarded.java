package org.trueasync.internal.http.server;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a trusted proxy tells of a request.
 *
 * @param by the proxy has told; false if there is nothing to be believed, and the connection counts
 * @param client null if the proxy does not tell
 * @param scheme {@code http} or {@code https}; null if it does not tell
 * @param host with its port, if there is one; null if it does not tell
 */
record Forwarded(
        boolean by,
        @Nullable InetSocketAddress client,
        @Nullable String scheme,
        @Nullable String host) {
    static final Forwarded NOTHING = new Forwarded(false, null, null, null);
    /** What it tells can't be read, so the client is not known. */
    static final Forwarded MALFORMED = new Forwarded(true, null, null, null);
}
