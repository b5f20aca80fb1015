package org.trueasync.internal.http.server;

import java.net.InetSocketAddress;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.Trace;

/**
 * What the access log tells of a request that is over.
 *
 * @param peer null if it was not known any more
 * @param method empty if the request was none
 * @param target as it was sent; empty if the request was none
 * @param protocol as it was sent; empty if the request was none
 * @param status 0 if the client has got no response
 * @param bytes of the response's body
 * @param nanos from the end of the head to the end of the response
 * @param referer null if there was none
 * @param userAgent null if there was none
 * @param requestId null if it has none
 * @param trace null if none is known
 */
public record Served(
        @Nullable InetSocketAddress peer,
        String method,
        String target,
        String protocol,
        int status,
        long bytes,
        long nanos,
        @Nullable String referer,
        @Nullable String userAgent,
        @Nullable String requestId,
        @Nullable Trace trace) {
    static Served of(@Nullable InetSocketAddress peer, RequestCore request, ResponseCore response, long nanos) {
        Fields fields = request.fields();
        return new Served(
                peer,
                request.method(),
                request.target(),
                request.protocol(),
                response.isCommitted() ? response.status() : 0,
                response.written(),
                nanos,
                fields.get(HttpHeader.REFERER),
                fields.get(HttpHeader.USER_AGENT),
                response.fields().get("X-Request-Id"),
                request.trace());
    }

    /** A request that no handler has seen. */
    static Served refused(
            @Nullable InetSocketAddress peer, String method, String target, String protocol, int status, long bytes) {
        return new Served(peer, method, target, protocol, status, bytes, 0, null, null, null, null);
    }

    /** As {@link #refused}, of HTTP/1: its head is not good, or did not come in time. */
    static Served refused(@Nullable InetSocketAddress peer, RequestParser parser, int status, long bytes) {
        String protocol = parser.target().isEmpty() ? "" : parser.isHttp10() ? "HTTP/1.0" : "HTTP/1.1";
        return refused(peer, parser.method(), parser.target(), protocol, status, bytes);
    }
}
