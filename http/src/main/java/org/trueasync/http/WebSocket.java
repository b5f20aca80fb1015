package org.trueasync.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.server.WebSocketUpgrade;
import org.trueasync.internal.http.websocket.CloseCodes;
import org.trueasync.internal.http.websocket.WebSocketCore;
import org.trueasync.internal.http.websocket.WebSocketSettings;

/**
 * A WebSocket (RFC 6455): messages both ways. {@link Exchange#webSocket()} opens it; it is closed when the handler
 * returns.
 *
 * {@snippet class="org.trueasync.http.snippets.Sockets" region="socket" :
 * HttpServer.listen(8080, exchange -> {
 *     var socket = exchange.webSocket();
 *     for (var message : socket) socket.send("you said " + message.text());
 * });
 * }
 *
 * <p>One coroutine receives; any number may send meanwhile, and their messages never mix. The one that receives also
 * answers pings, and notices that the peer leaves or is silent: so let one coroutine always come back to
 * {@link #receive}.
 *
 * <p>A cancellation in {@link #receive} loses nothing. One in a {@code send} leaves the whole message unsent or the
 * whole message sent, or it cuts the connection.
 *
 * <p>Loop thread only.
 */
public final class WebSocket implements Iterable<WebSocket.Message>, AutoCloseable {
    /** The most bytes of a reason: a close frame has 125, two for the code. */
    private static final int MAX_REASON = 123;

    private final WebSocketCore core;
    private final @Nullable String protocol;

    WebSocket(WebSocketUpgrade opened) {
        this.core = opened.core();
        this.protocol = opened.protocol();
    }

    /** Returns the subprotocol that both sides have agreed on; null if none. */
    public @Nullable String protocol() {
        return protocol;
    }

    // ---- receiving

    /**
     * Waits for the next message.
     *
     * @return null once the peer has closed the socket, or it was closed here
     * @throws org.trueasync.InputOutputException if the connection ends without a close frame ({@code ECONNRESET}), if
     *     the peer does not answer a ping ({@code ETIMEDOUT}), or if it breaks a rule or the limit ({@code EPROTO}).
     *     Nothing is reported if it leaves the handler
     * @throws IllegalStateException if another coroutine is receiving
     */
    public @Nullable Message receive() {
        Object message = core.receive();
        return message == null ? null : new Message(message);
    }

    /** The messages until the socket is closed; {@code next} waits as {@link #receive} does. */
    @Override
    public Iterator<Message> iterator() {
        return new Iterator<>() {
            private @Nullable Message next;

            @Override
            public boolean hasNext() {
                if (next == null) next = receive();
                return next != null;
            }

            @Override
            public Message next() {
                if (!hasNext()) throw new NoSuchElementException("the socket is closed");
                Message message = Objects.requireNonNull(next);
                next = null;
                return message;
            }
        };
    }

    // ---- sending

    /**
     * Sends a text. Returns when the system has taken it; waits while the peer is slower, for at most the server's
     * {@linkplain HttpServer.Builder#writeTimeout write timeout}.
     *
     * @param text an unpaired surrogate becomes {@code ?}
     * @throws org.trueasync.InputOutputException if the socket is closed ({@code EPIPE}), or as {@link #receive}
     */
    public void send(String text) {
        core.send(Objects.requireNonNull(text, "text"));
    }

    /**
     * Sends bytes, as {@link #send(String)} sends text.
     *
     * @param data not changed until this returns
     * @throws org.trueasync.InputOutputException as {@link #send(String)}
     */
    public void send(byte[] data) {
        core.send(data, 0, data.length);
    }

    /**
     * Sends bytes, as {@link #send(String)} sends text.
     *
     * @param data its remaining bytes, not changed until this returns; the position moves to the limit
     * @throws org.trueasync.InputOutputException as {@link #send(String)}
     */
    public void send(ByteBuffer data) {
        Objects.requireNonNull(data, "data");
        if (data.hasArray()) {
            core.send(data.array(), data.arrayOffset() + data.position(), data.remaining());
            data.position(data.limit());
        } else {
            var bytes = new byte[data.remaining()];
            data.get(bytes);
            core.send(bytes, 0, bytes.length);
        }
    }

    /**
     * Asks the peer for a sign of life, which {@link #receive} takes. {@link Options#pingInterval} does it by itself.
     *
     * @throws org.trueasync.InputOutputException as {@link #send(String)}
     */
    public void ping() {
        core.ping();
    }

    // ---- closing

    /** Closes with the code 1000. See {@link #close(int, String)}. */
    @Override
    public void close() {
        core.close(CloseCodes.NORMAL, "");
    }

    /**
     * Closes, and waits at most 5 s for the peer to do it too; what it sends meanwhile is dropped. Does nothing if the
     * socket is closed. The return of the handler closes with 1000, its failure with 1011, a server that drains or ends
     * with 1001.
     *
     * @param code 1000 to 1003, 1007 to 1014, or 3000 to 4999
     * @param reason at most 123 bytes in UTF-8
     * @throws IllegalArgumentException if code or reason are not allowed
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the connection is cut
     */
    public void close(int code, String reason) {
        Objects.requireNonNull(reason, "reason");
        if (!CloseCodes.maySend(code))
            throw new IllegalArgumentException("code must be 1000 to 1003, 1007 to 1014 or 3000 to 4999, got " + code);
        int length = reason.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_REASON)
            throw new IllegalArgumentException("reason must have at most 123 bytes in UTF-8, got " + length);
        core.close(code, reason);
    }

    /** True if messages can be sent. */
    public boolean isOpen() {
        return core.isOpen();
    }

    /**
     * Returns the code of the side that closed first: 1005 if the peer gave none, 1006 if the connection was cut; 0 as
     * long as the socket is open.
     */
    public int closeCode() {
        return core.closeCode();
    }

    /** Returns the reason that goes with {@link #closeCode}; empty if there is none. */
    public String closeReason() {
        return core.closeReason();
    }

    @Override
    public String toString() {
        return "WebSocket" + (isOpen() ? "" : ", closed with " + closeCode() + " " + closeReason());
    }

    /** Returns the options that hold if none are given. */
    public static Options options() {
        return new Options(WebSocketSettings.DEFAULTS);
    }

    /** A message: a text or bytes. */
    public static final class Message {
        private final Object content;

        private Message(Object content) {
            this.content = content;
        }

        /** True for a text. */
        public boolean isText() {
            return content instanceof String;
        }

        /**
         * Returns the text.
         *
         * @throws IllegalStateException if it is none
         */
        public String text() {
            if (content instanceof String text) return text;
            throw new IllegalStateException(
                    "the message is no text but " + bytes().length + " bytes; isText() tells, bytes() returns them");
        }

        /** Returns the bytes; of a text, those in UTF-8. */
        public byte[] bytes() {
            return content instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) content;
        }

        @Override
        public String toString() {
            return content instanceof String text ? text : bytes().length + " bytes";
        }
    }

    /** The options of a socket. Immutable: each method returns new options. Any thread. */
    public static final class Options {
        final WebSocketSettings settings;

        private Options(WebSocketSettings settings) {
            this.settings = settings;
        }

        /**
         * Sets the subprotocols that this side speaks; none otherwise. The first of the client's that is among them is
         * agreed on.
         *
         * @param names tokens
         * @throws IllegalArgumentException if one is none
         */
        public Options protocols(String... names) {
            for (String name : names) Checks.token("name of a subprotocol", name);
            return new Options(new WebSocketSettings(
                    List.copyOf(Arrays.asList(names)),
                    settings.maxMessageBytes(),
                    settings.pingNanos(),
                    settings.compression()));
        }

        /**
         * Sets the most bytes that a message of the peer may have, also decompressed; 1 MiB otherwise. Beyond it the
         * socket is closed with 1009.
         *
         * @param bytes 1 to 1 GiB
         */
        public Options maxMessageBytes(int bytes) {
            if (bytes < 1 || bytes > 1 << 30)
                throw new IllegalArgumentException("maxMessageBytes must be 1 to 1 GiB, got " + bytes);
            return new Options(
                    new WebSocketSettings(settings.protocols(), bytes, settings.pingNanos(), settings.compression()));
        }

        /**
         * Sets after how long a silence a peer is sent a ping; 30 s otherwise. If it is silent for that long again, the
         * connection is cut. Counts while a coroutine is in {@link WebSocket#receive}.
         *
         * @param interval 1 ms to 1 day; zero for no pings
         */
        public Options pingInterval(Duration interval) {
            Objects.requireNonNull(interval, "interval");
            if (!interval.isZero()
                    && (interval.compareTo(Duration.ofMillis(1)) < 0 || interval.compareTo(Duration.ofDays(1)) > 0))
                throw new IllegalArgumentException("pingInterval must be zero, or 1 ms to 1 day, got " + interval);
            return new Options(new WebSocketSettings(
                    settings.protocols(), settings.maxMessageBytes(), interval.toNanos(), settings.compression()));
        }

        /**
         * Sets whether messages are compressed (permessage-deflate) if the client offers it; they are not otherwise. It
         * costs processor time on the loop, and up to 300 KiB outside of the heap for each socket.
         *
         * @param on true to compress
         */
        public Options compression(boolean on) {
            return new Options(
                    new WebSocketSettings(settings.protocols(), settings.maxMessageBytes(), settings.pingNanos(), on));
        }
    }
}
