package org.trueasync.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.server.ExchangeCore;
import org.trueasync.internal.time.TimeLimits;

/**
 * A response of server-sent events, as {@code EventSource} in a browser reads them. Each event is sent at once. The
 * stream ends when the handler returns; the handler is cancelled when the client leaves, and when the server drains.
 *
 * {@snippet class="org.trueasync.http.snippets.Sockets" region="events" :
 * HttpServer.listen(8080, exchange -> {
 *     var events = exchange.events();
 *     for (int i = 1; ; i++) {
 *         events.send("tick " + i);
 *         delay(1_000);
 *     }
 * });
 * }
 *
 * <p>Several coroutines of the request may send; their events never mix. Loop thread only.
 */
public final class EventStream {
    private final ExchangeCore core;
    private final @Nullable String lastEventId;
    /** When something was sent last, in nanoseconds of the loop's clock. */
    private long sent;

    EventStream(ExchangeCore core, @Nullable String lastEventId) {
        this.core = core;
        this.sent = core.now();
        this.lastEventId = lastEventId == null
                ? null
                : new String(lastEventId.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Returns the id of the last event that this client has seen before it connected again; null if none. */
    public @Nullable String lastEventId() {
        return lastEventId;
    }

    /**
     * Sends an event of the type {@code message}.
     *
     * @param data any text; it arrives with LF for each line end
     * @throws org.trueasync.InputOutputException if the client has left; nothing is reported if it leaves the handler
     */
    public void send(String data) {
        send(null, null, data);
    }

    /**
     * Sends an event.
     *
     * @param event its type, without line ends; null for {@code message}
     * @param id what a client that connects again sends as {@link #lastEventId}, without line ends and NUL; null to
     *     leave it as it was
     * @param data any text; it arrives with LF for each line end
     * @throws IllegalArgumentException if event or id have what they may not
     * @throws org.trueasync.InputOutputException as {@link #send(String)}
     */
    public void send(@Nullable String event, @Nullable String id, String data) {
        write(event(event, id, data));
    }

    private static StringBuilder event(@Nullable String event, @Nullable String id, String data) {
        Objects.requireNonNull(data, "data");
        var text = new StringBuilder(data.length() + 32);
        if (event != null)
            text.append("event: ").append(oneLine("event", event)).append('\n');
        if (id != null) text.append("id: ").append(oneLine("id", id)).append('\n');
        return lines(text, "data: ", data);
    }

    /**
     * Sends an event unless that would have to wait: for a client that does not keep up it is dropped. Never waits, so
     * a handler can send to slow clients what is of no use later: prices, positions.
     *
     * @param data any text; it arrives with LF for each line end
     * @return false if what was sent before is still under way, so that this event was dropped
     */
    public boolean trySend(String data) {
        return trySend(null, null, data);
    }

    /**
     * As {@link #trySend(String)}.
     *
     * @param event its type, without line ends; null for {@code message}
     * @param id what a client that connects again sends as {@link #lastEventId}, without line ends and NUL; null to
     *     leave it as it was
     * @param data any text; it arrives with LF for each line end
     * @throws IllegalArgumentException if event or id have what they may not
     */
    public boolean trySend(@Nullable String event, @Nullable String id, String data) {
        ByteBuffer bytes = bytes(event(event, id, data));
        if (!core.tryWrite(bytes)) return false;
        sent = core.now();
        return true;
    }

    /** True if {@link #trySend} would send. */
    public boolean isWritable() {
        return core.isWritable();
    }

    /**
     * Sends a comment, which the client ignores.
     *
     * @param text any text
     * @throws org.trueasync.InputOutputException as {@link #send(String)}
     */
    public void comment(String text) {
        write(lines(new StringBuilder(), ": ", Objects.requireNonNull(text, "text")));
    }

    /**
     * Tells the client how long to wait before it connects again.
     *
     * @param delay >= 0, in whole milliseconds
     * @throws org.trueasync.InputOutputException as {@link #send(String)}
     */
    public void retry(Duration delay) {
        long millis = TimeLimits.notNegative(delay, "delay").toMillis();
        write(new StringBuilder("retry: ").append(millis).append('\n'));
    }

    /**
     * From now on sends an empty comment whenever nothing was sent for a time, so that nobody between the two takes the
     * connection for dead. A coroutine of the request does it.
     *
     * @param interval > 0
     */
    public void keepAlive(Duration interval) {
        Duration longest = TimeLimits.positive(interval, "interval");
        Async.launch(() -> {
            try {
                while (true) {
                    Duration silent = Duration.ofNanos(core.now() - sent);
                    if (silent.compareTo(longest) >= 0) comment("");
                    else Async.delay(longest.minus(silent));
                }
            } catch (InputOutputException e) {
                core.abandoned("the client has left");
            }
        });
    }

    private static String oneLine(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r' || c == 0)
                throw new IllegalArgumentException(
                        what + " must have no line ends and no NUL, got " + Checks.quoted(text));
        }
        return text;
    }

    private static StringBuilder lines(StringBuilder into, String name, String text) {
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' && c != '\r') continue;
            into.append(name).append(text, from, i).append('\n');
            if (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n') i++;
            from = i + 1;
        }
        return into.append(name).append(text, from, text.length()).append('\n');
    }

    private void write(StringBuilder event) {
        sent = core.now();
        core.response().write(bytes(event));
    }

    private static ByteBuffer bytes(StringBuilder event) {
        return ByteBuffer.wrap(event.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }
}
