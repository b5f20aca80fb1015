package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http2.Flags;
import org.eclipse.jetty.http2.frames.FrameType;
import org.eclipse.jetty.http2.frames.PrefaceFrame;

/** Knows whether the peer is in the middle of what takes no time to send: anything but a body. */
final class FrameWatch {
    private static final int HEADER = 9;

    private final ByteBuffer header = ByteBuffer.allocate(HEADER);
    private int left = PrefaceFrame.PREFACE_BYTES.length;
    private boolean isBody;
    private boolean hasOpenHead;
    private boolean begun;
    private int stream;
    private boolean isBroken;

    /** Sees bytes that have come; takes none. */
    void see(ByteBuffer in) {
        int at = in.position();
        while (at < in.limit()) {
            begun = true;
            if (left > 0) {
                int skipped = Math.min(left, in.limit() - at);
                left -= skipped;
                at += skipped;
                continue;
            }
            header.put(in.get(at++));
            if (header.hasRemaining()) continue;
            header.clear();
            left = header.getInt(0) >>> 8;
            int type = header.get(3);
            int id = header.getInt(5) & Integer.MAX_VALUE;
            if (hasOpenHead && id != stream) isBroken = true;
            stream = id;
            isBody = type == FrameType.DATA.getType();
            if (type == FrameType.HEADERS.getType() || type == FrameType.CONTINUATION.getType())
                hasOpenHead = (header.get(4) & Flags.END_HEADERS) == 0;
        }
    }

    /** True if a head was followed by a frame of another stream, which the parser takes for its rest. */
    boolean isBroken() {
        return isBroken;
    }

    boolean isBetween() {
        return begun && (header.position() > 0 || hasOpenHead || (left > 0 && !isBody));
    }
}
