package org.trueasync.http;

import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Trace;
import org.trueasync.internal.http.server.Served;

/**
 * What an access log tells of a request that is over, see {@link HttpServer.Builder#accessLog}. Also of what was no
 * request: a malformed head, one that did not come in time, a connection too many.
 *
 * @param time its end
 * @param client address of the peer; null if it was not known any more
 * @param method empty if there was no request
 * @param target path and query, or whatever was sent in their place; empty if there was no request
 * @param protocol {@code HTTP/1.1} or {@code HTTP/1.0}; empty if there was no request
 * @param status 0 if the client has got no response, as it left before
 * @param bytes length of the response's body that was sent, without head and marks of chunks
 * @param duration from the end of the request's head to the end of the response
 * @param referer header field; null if there was none
 * @param userAgent header field; null if there was none
 * @param requestId of {@link HttpFilters#requestId}; null if it has none
 * @param traceId of {@link HttpFilters#trace}; null if it has none
 * @param spanId of {@link HttpFilters#trace}; null if it has none
 */
public record AccessLog(
        Instant time,
        @Nullable InetSocketAddress client,
        String method,
        String target,
        String protocol,
        int status,
        long bytes,
        Duration duration,
        @Nullable String referer,
        @Nullable String userAgent,
        @Nullable String requestId,
        @Nullable String traceId,
        @Nullable String spanId) {
    private static final DateTimeFormatter COMMON = DateTimeFormatter.ofPattern(
                    "dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY");

    static AccessLog of(Served served) {
        Trace trace = served.trace();
        return new AccessLog(
                Instant.now(),
                served.peer(),
                served.method(),
                served.target(),
                served.protocol(),
                served.status(),
                served.bytes(),
                Duration.ofNanos(served.nanos()),
                served.referer(),
                served.userAgent(),
                served.requestId(),
                trace == null ? null : trace.id(),
                trace == null ? null : trace.span());
    }

    /**
     * The line of the common log format, without line end: {@code 192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET /
     * HTTP/1.1" 200 12}. Quotes, backslashes and what can't be printed are escaped as {@code \x22}.
     */
    public String common() {
        var line = new StringBuilder(96).append(address() == null ? "-" : address());
        line.append(" - - [").append(COMMON.format(time)).append("] \"");
        if (method.isEmpty()) line.append('-');
        else escape(line, method + ' ' + target + ' ' + protocol, "\\x%02x");
        line.append("\" ").append(status == 0 ? "-" : Integer.toString(status));
        return line.append(' ').append(bytes).toString();
    }

    /**
     * A JSON object in one line, without line end. Its names are those of OpenTelemetry's semantic conventions, so that
     * tools know them: {@code time}, {@code trace_id}, {@code span_id}, {@code client.address},
     * {@code http.request.method} ({@code _OTHER} and {@code http.request.method_original} for one that is not
     * standard), {@code url.path}, {@code url.query}, {@code network.protocol.version},
     * {@code http.response.status_code}, {@code http.response.body.size}, {@code http.server.request.duration} in
     * seconds, {@code user_agent.original}, {@code http.request.header.referer},
     * {@code http.response.header.x-request-id}. What is not known is left away.
     */
    public String json() {
        var line = new StringBuilder(384).append("{\"time\":\"").append(time).append('"');
        member(line, "trace_id", traceId);
        member(line, "span_id", spanId);
        member(line, "client.address", address());
        boolean isStandard = method.isEmpty() || METHODS.contains(method);
        member(line, "http.request.method", isStandard ? method : "_OTHER");
        if (!isStandard) member(line, "http.request.method_original", method);
        int query = target.indexOf('?');
        member(line, "url.path", query < 0 ? target : target.substring(0, query));
        if (query >= 0) member(line, "url.query", target.substring(query + 1));
        member(line, "network.protocol.version", protocol.substring(protocol.indexOf('/') + 1));
        if (status != 0) line.append(",\"http.response.status_code\":").append(status);
        line.append(",\"http.response.body.size\":").append(bytes);
        line.append(",\"http.server.request.duration\":").append(BigDecimal.valueOf(duration.toNanos() / 1_000, 6));
        member(line, "user_agent.original", userAgent);
        list(line, "http.request.header.referer", referer);
        list(line, "http.response.header.x-request-id", requestId);
        return line.append('}').toString();
    }

    private @Nullable String address() {
        return client == null || client.getAddress() == null
                ? null
                : client.getAddress().getHostAddress();
    }

    private static void member(StringBuilder line, String name, @Nullable String value) {
        if (value == null || value.isEmpty()) return;
        line.append(",\"").append(name).append("\":\"");
        escape(line, value, "\\u%04x");
        line.append('"');
    }

    /** Header fields are lists there. */
    private static void list(StringBuilder line, String name, @Nullable String value) {
        if (value == null) return;
        line.append(",\"").append(name).append("\":[\"");
        escape(line, value, "\\u%04x");
        line.append("\"]");
    }

    static void escape(StringBuilder line, String text, String form) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c >= 0x7f || c == '"' || c == '\\') line.append(String.format(form, (int) c));
            else line.append(c);
        }
    }
}
