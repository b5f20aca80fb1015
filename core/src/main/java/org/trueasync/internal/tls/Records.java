package org.trueasync.internal.tls;

import java.nio.ByteBuffer;

/** What the header of a record tells without its key: type, version, length. */
final class Records {
    /** The bytes of a header, and the most that it can announce. */
    static final int LARGEST = 5 + 0xffff;

    private static final int HEADER = 5;
    private static final int FIRST_TYPE = 20;
    private static final int HANDSHAKE = 22;
    private static final int LAST_TYPE = 24;

    private Records() {}

    /**
     * Whether it is worth asking the engine: a record is there whole, or what is there is none.
     *
     * @param bytes from position to limit
     */
    static boolean isWhole(ByteBuffer bytes) {
        if (bytes.remaining() < HEADER) return false;
        int at = bytes.position();
        int type = bytes.get(at) & 0xff;
        if (type < FIRST_TYPE || type > LAST_TYPE) return true;
        return bytes.remaining() >= HEADER + (bytes.getShort(at + 3) & 0xffff);
    }

    /**
     * Whether the next record says that it belongs to a handshake, as it can be seen until TLS 1.2.
     *
     * @param bytes from position to limit
     */
    static boolean isHandshake(ByteBuffer bytes) {
        return bytes.hasRemaining() && bytes.get(bytes.position()) == HANDSHAKE;
    }
}
