package org.trueasync.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
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
        @Nullable String userAgent) {
    private static final DateTimeFormatter COMMON = DateTimeFormatter.ofPattern(
                    "dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    static AccessLog of(Served served) {
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
                served.userAgent());
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
     * A JSON object in one line, without line end: {@code time}, {@code client}, {@code method}, {@code target},
     * {@code protocol}, {@code status}, {@code bytes}, {@code millis}, {@code referer}, {@code userAgent}. What is not
     * known is left away.
     */
    public String json() {
        var line = new StringBuilder(192).append("{\"time\":\"").append(time).append('"');
        member(line, "client", address());
        member(line, "method", method);
        member(line, "target", target);
        member(line, "protocol", protocol);
        if (status != 0) line.append(",\"status\":").append(status);
        line.append(",\"bytes\":").append(bytes);
        long micros = duration.toNanos() / 1_000;
        line.append(",\"millis\":").append(micros / 1_000.0);
        member(line, "referer", referer);
        member(line, "userAgent", userAgent);
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

    static void escape(StringBuilder line, String text, String form) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c >= 0x7f || c == '"' || c == '\\') line.append(String.format(form, (int) c));
            else line.append(c);
        }
    }
}
