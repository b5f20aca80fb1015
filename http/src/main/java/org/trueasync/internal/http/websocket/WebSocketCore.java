package org.trueasync.internal.http.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.Mutex;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * One side of a socket. The coroutine that receives also answers pings and the peer's close; whoever sends writes
 * itself. Every frame is one write of one buffer, so a write that is given up has left nothing or all of it, unless the
 * stream below says otherwise: then the connection is cut.
 *
 * <pre>
 *  OPEN    -> CLOSING  our close frame is sent first; messages that still come are dropped, pings not answered
 *  OPEN    -> CLOSED   the peer's close frame, which is answered; a broken rule, told by a close frame; or a cut
 *  CLOSING -> CLOSED   the peer's answer; its time is over; or a cut
 * </pre>
 */
public final class WebSocketCore {
    /** How far its end has got; the names are those of RFC 6455, 7.1.3 and 7.1.4. */
    private enum State {
        OPEN,
        CLOSING,
        /** No frame comes any more, and none is sent. */
        CLOSED
    }

    /** A longer message is sent in fragments, so that control frames come between. */
    private static final int FRAGMENT = 64 * 1024;
    /** How long a peer may take to answer a close. */
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Loop loop = Runtimes.here("WebSocket");
    private final SocketBytes stream;
    private final boolean client;
    private final long pingNanos;
    private final @Nullable PerMessageDeflate deflate;
    private final FrameReader frames;
    private final Incoming incoming;
    private final Mutex senders = new Mutex("to send on a WebSocket");
    private final ByteBuffer control = ByteBuffer.allocate(Opcodes.MAX_CONTROL);

    private boolean inFrame;
    private boolean reading;
    private @Nullable Completable<?> readLimit;
    private long heard = loop.reactor().nanoTime();
    private boolean pinged;
    private long pingedAt;

    private State state = State.OPEN;
    private int closeCode;
    private String closeReason = "";
    private @Nullable InputOutputException failure;
    /** Completed when no frame comes any more. */
    private final FutureState<Object> end = new FutureState<>().ignore();

    /**
     * Makes one whose handshake is done.
     *
     * @param client whether this side masks what it sends
     * @param compression what was agreed on; null for none
     */
    public WebSocketCore(
            SocketBytes stream, boolean client, WebSocketSettings settings, @Nullable DeflateOffer compression) {
        this.stream = stream;
        this.client = client;
        this.pingNanos = settings.pingNanos();
        this.deflate = compression == null
                ? null
                : new PerMessageDeflate(compression.keepsSent(), compression.keepsReceived());
        this.frames = new FrameReader(this::waitForBytes, !client);
        this.incoming = new Incoming(settings.maxMessageBytes(), deflate);
    }

    // ---- receiving

    /**
     * Waits for the next message: a String or a byte array.
     *
     * @return null once the socket is closed
     */
    public @Nullable Object receive() {
        while (reading) {
            if (readLimit == null)
                throw new IllegalStateException(
                        "another coroutine waits in receive; let one coroutine receive, and pass"
                                + " messages on by a channel");
            // it is being closed by another coroutine, which reads what is left
            Async.await(end.future());
        }
        reading = true;
        try {
            while (true) {
                if (failure != null) throw again(failure);
                if (isEnded()) return null;
                Object message = step();
                if (message != null && isOpen()) return message;
            }
        } catch (ProtocolError e) {
            throw fail(e);
        } catch (InputOutputException e) {
            // a connection that breaks while both sides leave is no news
            if (!isOpen() && failure == null) {
                cut();
                return null;
            }
            throw lost(e);
        } finally {
            reading = false;
        }
    }

    /** Reads a header or a part of a payload; returns a message when it is complete. */
    private @Nullable Object step() {
        if (!inFrame) {
            if (!frames.next()) throw endOfStream();
            if (Opcodes.isControl(frames.opcode())) {
                if (frames.isCompressed()) throw ProtocolError.rule("a control frame has a reserved bit");
                control.clear();
            } else incoming.frame(frames);
            inFrame = true;
        }
        boolean isControl = Opcodes.isControl(frames.opcode());
        if (frames.left() > 0) {
            if (!(isControl ? readControl() : incoming.read(frames))) throw endOfStream();
            if (frames.left() > 0) return null;
        }
        inFrame = false;
        if (isControl) {
            controlFrame();
            return null;
        }
        return frames.isLast() ? incoming.end() : null;
    }

    private boolean readControl() {
        int count = frames.read(control.array(), control.position(), control.remaining());
        if (count < 0) return false;
        control.position(control.position() + count);
        return true;
    }

    private void controlFrame() {
        control.flip();
        switch (frames.opcode()) {
            case Opcodes.PING -> {
                if (isOpen()) sendControl(Opcodes.PONG, control);
            }
            case Opcodes.CLOSE -> closeFrame();
            default -> {}
        }
    }

    private void closeFrame() {
        int length = control.remaining();
        if (length == 1) throw ProtocolError.rule("a close frame has half a code");
        int code = CloseCodes.NONE;
        if (length > 0) {
            code = control.getShort() & 0xffff;
            if (!CloseCodes.maySend(code)) throw ProtocolError.rule("a close frame has the code " + code);
            var utf8 = new Utf8Check();
            if (!utf8.accepts(control.array(), 2, length) || !utf8.isComplete())
                throw new ProtocolError(CloseCodes.BAD_DATA, "the reason of a close frame is not in UTF-8");
        }
        boolean isFirst = isOpen();
        state = State.CLOSED;
        if (closeCode == 0) {
            closeCode = code;
            closeReason = StandardCharsets.UTF_8.decode(control).toString();
        }
        try {
            if (isFirst) sendControl(Opcodes.CLOSE, code == CloseCodes.NONE ? NOTHING : payload(code, ""));
        } catch (InputOutputException e) {
            // it has said that it leaves, and is gone
            failure = null;
        } finally {
            end();
        }
    }

    private InputOutputException endOfStream() {
        return new InputOutputException("the peer has closed the connection without a close frame", "ECONNRESET");
    }

    /** Waits for bytes, and asks a silent peer whether it is there. */
    private int waitForBytes(ByteBuffer into) {
        if (readLimit != null) return stream.read(into, readLimit);
        if (pingNanos == 0) return stream.read(into);
        while (true) {
            long now = loop.reactor().nanoTime();
            long left = (pinged ? pingedAt : heard) + pingNanos - now;
            if (left > 0) {
                var limit = loop.timers().timeout(Duration.ofNanos(left));
                try {
                    return heard(stream.read(into, limit));
                } catch (OperationCanceledException e) {
                    continue;
                } finally {
                    limit.dispose();
                }
            }
            // it may have answered while nobody was receiving
            int count = stream.tryRead(into);
            if (count != 0) return heard(count);
            if (pinged)
                throw new InputOutputException(
                        "the peer has not answered a ping for "
                                + Duration.ofNanos(pingNanos).toMillis() + " ms",
                        "ETIMEDOUT");
            pinged = true;
            pingedAt = now;
            sendControl(Opcodes.PING, NOTHING);
        }
    }

    private int heard(int count) {
        heard = loop.reactor().nanoTime();
        pinged = false;
        return count;
    }

    // ---- sending

    /** Sends a text in UTF-8. */
    public void send(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        send(Opcodes.TEXT, bytes, 0, bytes.length);
    }

    /** Sends bytes, which are not changed. */
    public void send(byte[] bytes, int offset, int length) {
        send(Opcodes.BINARY, bytes, offset, length);
    }

    private void send(int opcode, byte[] bytes, int offset, int length) {
        requireOpen();
        senders.lock();
        boolean begun = false;
        boolean done = false;
        try {
            PerMessageDeflate zip = length >= PerMessageDeflate.LEAST ? deflate : null;
            int next = opcode;
            int sent = 0;
            do {
                int part = Math.min(FRAGMENT, length - sent);
                boolean isLast = sent + part == length;
                int first = next | (zip != null && next != Opcodes.CONTINUATION ? 0x40 : 0) | (isLast ? 0x80 : 0);
                requireOpen();
                ByteBuffer frame;
                if (zip == null) frame = frame(first, bytes, offset + sent, part);
                else {
                    // from here on the peer needs what the dictionary has
                    begun = true;
                    int packed = zip.compress(bytes, offset + sent, part, isLast);
                    sent += part;
                    if (packed == 0 && !isLast) continue;
                    frame = frame(first, zip.out(), 0, packed);
                }
                if (zip == null) sent += part;
                try {
                    write(frame);
                } finally {
                    begun |= frame.position() > 0;
                    done = isLast && !frame.hasRemaining();
                }
                next = Opcodes.CONTINUATION;
            } while (sent < length);
            if (zip != null) zip.trim();
        } finally {
            if (begun && !done) cutInside();
            senders.unlock();
        }
    }

    /** Asks the peer for a sign of life. */
    public void ping() {
        requireOpen();
        sendControl(Opcodes.PING, NOTHING);
    }

    private void sendControl(int opcode, ByteBuffer payload) {
        write(frame(0x80 | opcode, payload.array(), payload.arrayOffset() + payload.position(), payload.remaining()));
    }

    private ByteBuffer frame(int first, byte[] payload, int offset, int length) {
        int size = length < 126 ? 0 : length <= 0xffff ? 2 : 8;
        ByteBuffer frame = ByteBuffer.allocate(2 + size + (client ? 4 : 0) + length);
        int masked = client ? 0x80 : 0;
        frame.put((byte) first).put((byte) (masked | (size == 0 ? length : size == 2 ? 126 : 127)));
        if (size == 2) frame.putShort((short) length);
        else if (size == 8) frame.putLong(length);
        int key = client ? ThreadLocalRandom.current().nextInt() : 0;
        if (client) frame.putInt(key);
        frame.put(payload, offset, length);
        if (client) Masking.apply(key, 0, frame.array(), frame.position() - length, frame.position());
        return frame.flip();
    }

    private void write(ByteBuffer frame) {
        try {
            stream.write(frame);
        } catch (InputOutputException e) {
            throw lost(e);
        } finally {
            if (frame.position() > 0 && frame.hasRemaining()) cutInside();
        }
    }

    private void requireOpen() {
        if (failure != null) throw again(failure);
        if (!isOpen())
            throw new InputOutputException(
                    "the socket is closed: " + closeCode + (closeReason.isEmpty() ? "" : " " + closeReason), "EPIPE");
    }

    // ---- closing

    /**
     * Closes with a code, and waits for the peer to do it too, for a bounded time. Does nothing if it is closed.
     *
     * @param code one that a frame may carry
     */
    public void close(int code, String reason) {
        if (isEnded()) return;
        var limit = loop.timers().timeout(CLOSE_TIME);
        try {
            sendClose(code, reason, limit);
            awaitClose(limit);
        } catch (OperationCanceledException | InputOutputException e) {
            // it does not answer, or has gone
        } finally {
            limit.dispose();
            if (!isEnded()) cut();
        }
    }

    /** Tells the peer that it is closed, and does not wait for it. */
    public void leave(int code, String reason) {
        var limit = loop.timers().timeout(CLOSE_TIME);
        try {
            sendClose(code, reason, limit);
        } catch (OperationCanceledException | InputOutputException e) {
            // it does not read, or has gone
            if (!isEnded()) cut();
        } finally {
            limit.dispose();
        }
    }

    private void sendClose(int code, String reason, Completable<?> limit) {
        if (!isOpen()) return;
        // a message that is on its way comes first
        senders.lock(limit);
        try {
            if (!isOpen()) return;
            state = State.CLOSING;
            if (closeCode == 0) {
                closeCode = code;
                closeReason = reason;
            }
            sendControl(Opcodes.CLOSE, payload(code, reason));
        } finally {
            senders.unlock();
        }
    }

    private void awaitClose(Completable<?> limit) {
        while (!isEnded()) {
            if (reading) {
                Async.await(end.future(), limit);
                continue;
            }
            readLimit = limit;
            try {
                receive();
            } finally {
                readLimit = null;
            }
        }
    }

    private static ByteBuffer payload(int code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + text.length)
                .putShort((short) code)
                .put(text)
                .flip();
    }

    private InputOutputException fail(ProtocolError error) {
        var thrown = new InputOutputException(error.getMessage() + "; closed with " + error.code, "EPROTO");
        failure = thrown;
        closeCode = error.code;
        closeReason = String.valueOf(error.getMessage());
        boolean tells = isOpen();
        state = State.CLOSED;
        try {
            if (tells) sendControl(Opcodes.CLOSE, payload(error.code, closeReason));
        } catch (InputOutputException e) {
            // it has gone
        } finally {
            end();
        }
        return thrown;
    }

    private InputOutputException lost(InputOutputException error) {
        if (failure == null) {
            failure = error;
            if (closeCode == 0) closeCode = CloseCodes.CUT;
            cut();
        }
        return error;
    }

    private static InputOutputException again(InputOutputException first) {
        return new InputOutputException(String.valueOf(first.getMessage()), first.errno(), first);
    }

    /** A part of a message was sent, and the rest never will be. */
    private void cutInside() {
        if (!isEnded())
            lost(new InputOutputException("the connection was cut, as a send was given up in the middle", "ECANCELED"));
    }

    /** Ends the connection without a close frame. */
    private void cut() {
        state = State.CLOSED;
        if (closeCode == 0) closeCode = CloseCodes.CUT;
        stream.close();
        end();
    }

    private void end() {
        if (deflate != null) deflate.end();
        if (!end.isCompleted()) end.complete(this);
    }

    // ---- how it stands

    /** True if no frame comes any more. */
    private boolean isEnded() {
        return state == State.CLOSED;
    }

    /** True if messages can be sent. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** Why it cannot go on; null as long as it goes on, or if it was closed in order. */
    public @Nullable InputOutputException failure() {
        return failure;
    }

    /** The code of the first close frame; 0 while open. */
    public int closeCode() {
        return closeCode;
    }

    public String closeReason() {
        return closeReason;
    }
}
