package org.trueasync.internal.http.h2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.frames.PrefaceFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.jspecify.annotations.Nullable;

/**
 * Sees what comes before the parser does. Knows whether the peer is in the middle of what takes no time to send:
 * anything but a body. Finds what the parser takes wrongly. Takes the blocks of fields out of the frames, so that the
 * parser, which loses the connection at some of them, does not unpack them. Takes a client's preface too: Jetty's
 * parser for it fails if the first frame comes in two parts, the first of which is its header.
 */
final class FrameWatch {
    private static final int HEADER = 9;
    /** A byte of a block that says nothing: that the table is empty, which the parser's is. */
    private static final byte NOTHING = 0x20;

    private static final int KEPT = 1024;

    private static final byte[] PREFACE = PrefaceFrame.PREFACE_BYTES;

    private final ByteBuffer header = ByteBuffer.allocate(HEADER);
    /** How much of the preface has come; all of it where there is none. */
    private int preface;
    /** The peer's first frame tells its settings. */
    private boolean settled;

    private int left;
    private boolean isBody;
    private boolean hasOpenHead;
    private int stream;
    private int type = -1;
    private int length;
    private boolean isPadded;
    private boolean isHead;
    /** Where the part of a block begins and ends in the frame. */
    private int blockStart;

    private int blockEnd;
    private ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final ArrayDeque<byte[]> heads = new ArrayDeque<>();
    private int setting;
    private @Nullable ErrorCode fault;

    private FrameWatch(boolean hasPreface) {
        preface = hasPreface ? 0 : PREFACE.length;
        settled = !hasPreface;
    }

    /** Makes one for what a client sends, the preface first. */
    static FrameWatch ofClient() {
        return new FrameWatch(true);
    }

    /** Makes one for what a server sends. */
    static FrameWatch ofServer() {
        return new FrameWatch(false);
    }

    /**
     * Sees bytes that have come; takes the preface alone. What the parser shall not see is overwritten: blocks of
     * fields, and a setting of 2^31 or more, which it takes for a negative one and which becomes the largest that it
     * knows.
     */
    void see(ByteBuffer in) {
        while (preface < PREFACE.length && in.hasRemaining())
            if (in.get() != PREFACE[preface++]) fault = ErrorCode.PROTOCOL_ERROR;
        int at = in.position();
        while (at < in.limit()) {
            if (left > 0) {
                int seen = body(in, at);
                left -= seen;
                at += seen;
            } else {
                header.put(in.get(at++));
                if (header.hasRemaining()) continue;
                header.clear();
                header();
            }
            if (left > 0 || !isHead || hasOpenHead) continue;
            heads.add(block.toByteArray());
            if (block.size() <= KEPT) block.reset();
            else block = new ByteArrayOutputStream();
        }
    }

    private void header() {
        left = length = header.getInt(0) >>> 8;
        type = header.get(3);
        int flags = header.get(4);
        int id = header.getInt(5) & Integer.MAX_VALUE;
        // of another stream: the parser takes it for the rest of the head
        if (hasOpenHead && id != stream) fault = ErrorCode.PROTOCOL_ERROR;
        if (!settled && (type != FrameType.SETTINGS.getType() || (flags & Flags.ACK) != 0))
            fault = ErrorCode.PROTOCOL_ERROR;
        settled = true;
        stream = id;
        isBody = type == FrameType.DATA.getType();
        boolean isFirst = type == FrameType.HEADERS.getType();
        isHead = isFirst || type == FrameType.CONTINUATION.getType();
        isPadded = (isBody || isFirst) && (flags & Flags.PADDING) != 0;
        if ((type == FrameType.PING.getType() && length != 8) || (isPadded && length == 0))
            fault = ErrorCode.FRAME_SIZE_ERROR;
        if (!isHead) return;
        hasOpenHead = (flags & Flags.END_HEADERS) == 0;
        blockStart = (isPadded ? 1 : 0) + (isFirst && (flags & Flags.PRIORITY) != 0 ? 5 : 0);
        blockEnd = length;
    }

    /** Sees a part of the current frame; returns how many bytes. */
    private int body(ByteBuffer in, int at) {
        int offset = length - left;
        if (isPadded && offset == 0) {
            int padding = in.get(at) & 0xff;
            if (padding >= length) fault = ErrorCode.PROTOCOL_ERROR;
            blockEnd = length - padding;
        }
        if (type == FrameType.SETTINGS.getType()) {
            setting(in, at);
            return 1;
        }
        int count = Math.min(left, in.limit() - at);
        if (isHead) take(in, at + Math.max(0, blockStart - offset), at + Math.min(count, blockEnd - offset));
        return count;
    }

    private void take(ByteBuffer in, int from, int to) {
        if (to <= from) return;
        byte[] part = new byte[to - from];
        in.get(from, part);
        block.writeBytes(part);
        for (int i = from; i < to; i++) in.put(i, NOTHING);
    }

    /** Each is an id of two bytes and a value of four. */
    private void setting(ByteBuffer in, int at) {
        switch ((length - left) % 6) {
            case 0 -> setting = in.get(at) << 8;
            case 1 -> setting |= in.get(at) & 0xff;
            case 2 -> {
                if (setting == SettingsFrame.MAX_HEADER_LIST_SIZE && in.get(at) < 0) in.put(at, (byte) 0x7f);
            }
            default -> {}
        }
    }

    /** What the parser would not find; null for nothing. */
    @Nullable
    ErrorCode fault() {
        return fault;
    }

    /** Takes the block of fields of the next head that is complete. */
    ByteBuffer takeHead() {
        return ByteBuffer.wrap(heads.remove());
    }

    boolean isBetween() {
        boolean isInPreface = preface > 0 && preface < PREFACE.length;
        return isInPreface || header.position() > 0 || hasOpenHead || (left > 0 && !isBody);
    }
}
