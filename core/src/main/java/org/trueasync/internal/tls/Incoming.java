package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Bytes on their way in: as they came, up to a record and what follows it, and decrypted, what of a record did not fit where it was wanted. Both in arrays,
 * on which ciphers are several times faster than outside the heap.
 */
final class Incoming {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** As they came: what has not been looked at is from position to limit. */
    private ByteBuffer raw = NOTHING;
    /** Decrypted and not taken. */
    private ByteBuffer plain = NOTHING;

    /** What has come and has not been decrypted. */
    ByteBuffer raw() {
        return raw;
    }

    /** Decrypted bytes; reading from it takes them away. */
    ByteBuffer plain() {
        return plain;
    }

    /**
     * Room for what comes next, behind what is there. Once {@link #came} is called it is kept.
     *
     * @param size what a record needs
     */
    ByteBuffer room(int size) {
        if (raw.limit() == raw.capacity() || !raw.hasRemaining()) {
            int capacity = raw.remaining() == raw.capacity() ? Math.max(size, 2 * raw.capacity()) : raw.capacity();
            capacity = Math.min(Math.max(capacity, size), Records.LARGEST);
            if (capacity > raw.capacity())
                raw = ByteBuffer.allocate(capacity).put(raw).flip();
            else raw = raw.compact().flip();
        }
        return raw.duplicate().clear().slice(raw.limit(), raw.capacity() - raw.limit());
    }

    /**
     * So many bytes have been put into the room.
     *
     * @param count how many
     */
    void came(int count) {
        raw.limit(raw.limit() + count);
    }

    /** Decrypts the next record, to be kept. Nothing must be kept yet. */
    SSLEngineResult unwrap(SSLEngine engine) throws SSLException {
        int size = engine.getSession().getApplicationBufferSize();
        while (true) {
            ByteBuffer target = plain.capacity() < size ? ByteBuffer.allocate(size) : plain.clear();
            plain = NOTHING;
            SSLEngineResult result;
            try {
                result = engine.unwrap(raw, target);
            } finally {
                plain = target.flip();
            }
            if (result.getStatus() != Status.BUFFER_OVERFLOW) return result;
            size = Math.max(2 * size, engine.getSession().getApplicationBufferSize());
        }
    }

    /** Gives memory back that is not needed while nothing is there. */
    void shrink() {
        if (!plain.hasRemaining()) plain = NOTHING;
    }
}
