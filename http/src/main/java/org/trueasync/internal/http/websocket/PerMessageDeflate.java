package org.trueasync.internal.http.websocket;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the messages of one socket (RFC 7692). The JDK's zlib knows windows of 32 KiB alone. What a side has sent
 * stays the dictionary of what it sends next, unless that was negotiated away.
 */
final class PerMessageDeflate {
    /** Messages with fewer bytes are sent as they are. */
    static final int LEAST = 64;

    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};
    private static final byte[] EMPTY = {};
    private static final int LARGEST_KEPT = 4 * 1024;

    private final boolean keepsSent;
    private final boolean keepsReceived;
    private @Nullable Deflater deflater;
    private @Nullable Inflater inflater;
    private byte[] out = EMPTY;
    private int size;

    /**
     * Makes one for a socket.
     *
     * @param keepsSent whether the dictionary of what is sent outlives a message
     * @param keepsReceived the same of what comes
     */
    PerMessageDeflate(boolean keepsSent, boolean keepsReceived) {
        this.keepsSent = keepsSent;
        this.keepsReceived = keepsReceived;
    }

    /** Compresses the next part of a message into {@link #out}; returns how many bytes these are. */
    int compress(byte[] bytes, int from, int length, boolean isLast) {
        if (deflater == null) deflater = new Deflater(Deflater.BEST_SPEED, true);
        deflater.setInput(bytes, from, length);
        size = 0;
        int mode = isLast ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH;
        int room;
        int count;
        do {
            room(length / 2 + 256);
            room = out.length - size;
            count = deflater.deflate(out, size, room, mode);
            size += count;
        } while (count == room);
        if (isLast) {
            size -= TAIL.length;
            if (!keepsSent) deflater.reset();
        }
        return size;
    }

    /** What was compressed; until the next call. */
    byte[] out() {
        return out;
    }

    /** Keeps no large buffer between two messages. */
    void trim() {
        if (out.length > LARGEST_KEPT) out = EMPTY;
    }

    private void room(int least) {
        if (out.length - size < least) out = Arrays.copyOf(out, Math.max(size + least, 2 * size));
    }

    /**
     * Decompresses a message.
     *
     * @param most bytes that it may have
     * @return what the caller owns
     * @throws ProtocolError if it has more, or if it is malformed
     */
    byte[] decompress(byte[] bytes, int length, int most) {
        if (inflater == null) inflater = new Inflater(true);
        inflater.setInput(bytes, 0, length);
        var all = new byte[(int) Math.min(most, Math.max(256, 4L * length))];
        int count = 0;
        boolean tail = false;
        boolean ended = false;
        try {
            while (true) {
                if (count == all.length && count < most) all = Arrays.copyOf(all, (int) Math.min(most, 2L * count));
                // with no room left, one byte more tells whether there is more
                byte[] into = count < all.length ? all : new byte[1];
                int got = inflater.inflate(into, into == all ? count : 0, into.length - (into == all ? count : 0));
                if (got > 0) {
                    if (into != all)
                        throw new ProtocolError(
                                CloseCodes.TOO_BIG, "a message has more than " + most + " bytes, decompressed");
                    count += got;
                } else if (inflater.finished()) {
                    ended = true;
                    int rest = inflater.getRemaining();
                    inflater.reset();
                    if (tail) break;
                    inflater.setInput(bytes, length - rest, rest);
                    if (rest == 0) {
                        tail = true;
                        inflater.setInput(TAIL);
                    }
                } else if (tail) {
                    break;
                } else {
                    tail = true;
                    inflater.setInput(TAIL);
                }
            }
        } catch (DataFormatException e) {
            throw new ProtocolError(CloseCodes.BAD_DATA, "a compressed message is malformed");
        }
        if (ended || !keepsReceived) inflater.reset();
        return count == all.length ? all : Arrays.copyOf(all, count);
    }

    /** Gives the memory outside of the heap back. */
    void end() {
        if (deflater != null) deflater.end();
        if (inflater != null) inflater.end();
        deflater = null;
        inflater = null;
        out = EMPTY;
    }
}
