package org.trueasync.internal.http.websocket;

import java.nio.ByteBuffer;

/**
 * Reads frames: a header, then its payload in parts. A wait that is given up loses nothing; the next call goes on where
 * it was.
 */
final class FrameReader {
    /** Where bytes come from. */
    @FunctionalInterface
    interface Source {
        /** Waits for bytes; returns -1 at the end. */
        int read(ByteBuffer into);
    }

    private static final int ROOM = 4 * 1024;

    private final Source source;
    private final boolean fromClient;
    /** What has been read and not taken. */
    private final ByteBuffer in = ByteBuffer.allocate(ROOM).limit(0);

    private boolean last;
    private boolean compressed;
    private int opcode;
    private int key;
    private long length;
    private long done;

    FrameReader(Source source, boolean fromClient) {
        this.source = source;
        this.fromClient = fromClient;
    }

    /** True if it is the last frame of its message. */
    boolean isLast() {
        return last;
    }

    /** The bit by which the first frame of a message says that the message is compressed. */
    boolean isCompressed() {
        return compressed;
    }

    int opcode() {
        return opcode;
    }

    /** How many bytes of the payload have not been read. */
    long left() {
        return length - done;
    }

    /**
     * Waits for the next header; the payload before it has been read. Returns false at the end of the stream.
     *
     * @throws ProtocolError if no frame looks so
     */
    boolean next() {
        while (!parse()) {
            in.compact();
            int count;
            try {
                count = source.read(in);
            } finally {
                in.flip();
            }
            if (count < 0) return false;
        }
        return true;
    }

    private boolean parse() {
        int available = in.remaining();
        if (available < 2) return false;
        int at = in.position();
        int first = in.get(at);
        int second = in.get(at + 1);
        check(first, second);
        int size = second & 0x7f;
        int sizeBytes = size == 126 ? 2 : size == 127 ? 8 : 0;
        boolean masked = second < 0;
        int header = 2 + sizeBytes + (masked ? 4 : 0);
        if (available < header) return false;
        long payload = size;
        if (sizeBytes == 2) payload = in.getShort(at + 2) & 0xffff;
        else if (sizeBytes == 8) payload = in.getLong(at + 2);
        if (payload < 0 || (sizeBytes == 2 && payload < 126) || (sizeBytes == 8 && payload <= 0xffff))
            throw ProtocolError.rule("a frame's length was not written in its shortest form");
        key = masked ? in.getInt(at + 2 + sizeBytes) : 0;
        in.position(at + header);
        last = first < 0;
        compressed = (first & 0x40) != 0;
        opcode = first & 0x0f;
        length = payload;
        done = 0;
        return true;
    }

    private void check(int first, int second) {
        int code = first & 0x0f;
        if ((first & 0x30) != 0) throw ProtocolError.rule("a frame has a reserved bit");
        if (!Opcodes.isKnown(code)) throw ProtocolError.rule("a frame has the reserved opcode " + code);
        if (second < 0 != fromClient)
            throw ProtocolError.rule(fromClient ? "a client's frame was not masked" : "a server's frame was masked");
        if (!Opcodes.isControl(code)) return;
        if (first >= 0) throw ProtocolError.rule("a control frame was fragmented");
        if ((second & 0x7f) > Opcodes.MAX_CONTROL)
            throw ProtocolError.rule("a control frame has more than " + Opcodes.MAX_CONTROL + " bytes");
    }

    /**
     * Waits for bytes of the payload, and unmasks them.
     *
     * @return how many, 1 to {@code room}; -1 at the end of the stream
     */
    int read(byte[] into, int offset, int room) {
        int most = (int) Math.min(room, left());
        int count;
        if (in.hasRemaining()) {
            count = Math.min(most, in.remaining());
            in.get(into, offset, count);
        } else if (most >= ROOM) {
            count = source.read(ByteBuffer.wrap(into, offset, most));
        } else {
            in.clear();
            count = -1;
            try {
                count = source.read(in);
            } finally {
                in.flip();
            }
            if (count > 0) {
                count = Math.min(most, count);
                in.get(into, offset, count);
            }
        }
        if (count < 0) return -1;
        if (key != 0) Masking.apply(key, done, into, offset, offset + count);
        done += count;
        return count;
    }
}
