package org.trueasync.internal.tls;

import java.nio.ByteBuffer;

/** Reads the header of a TLS record, which is not encrypted: the record's type and length. */
final class Records {
    /** Bytes of a header plus the greatest length that it can announce. */
    static final int LARGEST = 5 + 0xffff;

    private static final int HEADER = 5;
    private static final int FIRST_TYPE = 20;
    private static final int HANDSHAKE = 22;
    private static final int LAST_TYPE = 24;

    private Records() {}

    /**
     * True if the engine should be asked: a whole record is there, or the bytes are no record.
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
     * True if the next record is of the handshake type. Up to TLS 1.2 the type of encrypted records is visible.
     *
     * @param bytes from position to limit
     */
    static boolean isHandshake(ByteBuffer bytes) {
        return bytes.hasRemaining() && bytes.get(bytes.position()) == HANDSHAKE;
    }
}
