package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.frames.PrefaceFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.jspecify.annotations.Nullable;

/**
 * Sees what comes before the parser does. Knows whether the peer is in the middle of what takes no time to send:
 * anything but a body. Finds what the parser takes wrongly.
 */
final class FrameWatch {
    private static final int HEADER = 9;

    private final ByteBuffer header = ByteBuffer.allocate(HEADER);
    private int left = PrefaceFrame.PREFACE_BYTES.length;
    private boolean isBody;
    private boolean hasOpenHead;
    private boolean begun;
    private int stream;
    private int type = -1;
    private int length;
    private boolean isPadded;
    private int setting;
    private @Nullable ErrorCode fault;

    /**
     * Sees bytes that have come; takes none. A setting of 2^31 or more, which the parser takes for a negative one,
     * becomes the largest that it knows.
     */
    void see(ByteBuffer in) {
        int at = in.position();
        while (at < in.limit()) {
            begun = true;
            if (left > 0) {
                if (isPadded && left == length && (in.get(at) & 0xff) >= length) fault = ErrorCode.PROTOCOL_ERROR;
                boolean isSettings = type == FrameType.SETTINGS.getType();
                if (isSettings) setting(in, at);
                int skipped = isSettings ? 1 : Math.min(left, in.limit() - at);
                left -= skipped;
                at += skipped;
                continue;
            }
            header.put(in.get(at++));
            if (header.hasRemaining()) continue;
            header.clear();
            left = length = header.getInt(0) >>> 8;
            type = header.get(3);
            int id = header.getInt(5) & Integer.MAX_VALUE;
            // of another stream: the parser takes it for the rest of the head
            if (hasOpenHead && id != stream) fault = ErrorCode.PROTOCOL_ERROR;
            stream = id;
            isBody = type == FrameType.DATA.getType();
            boolean isHead = type == FrameType.HEADERS.getType();
            isPadded = (isBody || isHead) && (header.get(4) & Flags.PADDING) != 0;
            if ((type == FrameType.PING.getType() && length != 8) || (isPadded && length == 0))
                fault = ErrorCode.FRAME_SIZE_ERROR;
            if (isHead || type == FrameType.CONTINUATION.getType())
                hasOpenHead = (header.get(4) & Flags.END_HEADERS) == 0;
        }
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

    boolean isBetween() {
        return begun && (header.position() > 0 || hasOpenHead || (left > 0 && !isBody));
    }
}
