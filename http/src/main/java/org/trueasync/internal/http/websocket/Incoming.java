package org.trueasync.internal.http.websocket;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The message that is coming, whose frames are put together. Its room grows with what has come, not with what is
 * announced.
 */
final class Incoming {
    private static final byte[] EMPTY = {};
    private static final int FIRST_ROOM = 16 * 1024;

    private final int most;
    private final @Nullable PerMessageDeflate deflate;
    private final Utf8Check utf8 = new Utf8Check();
    private byte[] bytes = EMPTY;
    private int size;
    private boolean begun;
    private boolean text;
    private boolean compressed;

    Incoming(int most, @Nullable PerMessageDeflate deflate) {
        this.most = most;
        this.deflate = deflate;
    }

    /** Begins a frame, whose header the reader has. */
    void frame(FrameReader frame) {
        boolean continues = frame.opcode() == Opcodes.CONTINUATION;
        if (continues != begun)
            throw ProtocolError.rule(continues ? "a fragment continues no message" : "a message begins inside another");
        if (frame.isCompressed() && (continues || deflate == null))
            throw ProtocolError.rule("a frame has the reserved bit of compression");
        if (!continues) {
            begun = true;
            text = frame.opcode() == Opcodes.TEXT;
            compressed = frame.isCompressed();
        }
        if (frame.left() > limit() - size)
            throw new ProtocolError(CloseCodes.TOO_BIG, "a message has more than " + most + " bytes");
    }

    private long limit() {
        // what zlib adds to bytes that can't be compressed is far less
        return compressed ? most + most / 8L + 1024 : most;
    }

    /** Waits for a part of the frame's payload; returns false at the end of the stream. */
    boolean read(FrameReader frame) {
        if (size == bytes.length) {
            long room = Math.max(2L * size, Math.min(FIRST_ROOM, frame.left()));
            // exact for the last frame only: if it were for each, each fragment would copy all that has come
            long enough = frame.isLast() ? size + frame.left() : Math.min(limit(), Integer.MAX_VALUE - 8);
            bytes = Arrays.copyOf(bytes, (int) Math.min(room, enough));
        }
        int count = frame.read(bytes, size, bytes.length - size);
        if (count < 0) return false;
        if (text && !compressed && !utf8.accepts(bytes, size, size + count)) throw noText();
        size += count;
        return true;
    }

    /** Ends the message: a String, or a byte array. */
    Object end() {
        byte[] all = bytes;
        int length = size;
        if (compressed && deflate != null) {
            all = deflate.decompress(bytes, size, most);
            length = all.length;
            if (text && !utf8.accepts(all, 0, length)) throw noText();
        }
        if (text && !utf8.isComplete()) throw noText();
        Object message;
        if (text) message = new String(all, 0, length, StandardCharsets.UTF_8);
        else message = length == all.length ? all : Arrays.copyOf(all, length);
        reset();
        return message;
    }

    private static ProtocolError noText() {
        return new ProtocolError(CloseCodes.BAD_DATA, "a text is not in UTF-8");
    }

    private void reset() {
        bytes = EMPTY;
        size = 0;
        begun = false;
        utf8.reset();
    }
}
