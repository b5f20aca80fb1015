package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Bytes from the peer, in two buffers: raw bytes that are not decrypted yet, and decrypted bytes that did not fit into
 * the reader's buffer. Both are on the heap, where ciphers are several times faster than outside.
 */
final class Incoming {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Raw bytes, from position to limit. */
    private ByteBuffer raw = NOTHING;
    /** Decrypted bytes that no reader has taken yet. */
    private ByteBuffer plain = NOTHING;

    /** Bytes that have come in and are not decrypted yet, from position to limit. */
    ByteBuffer raw() {
        return raw;
    }

    /** Decrypted bytes; reading from this buffer removes them. */
    ByteBuffer plain() {
        return plain;
    }

    /**
     * Returns room for further raw bytes, behind those that are there. {@link #received} must follow, to keep bytes put
     * there.
     *
     * @param size bytes that a record needs
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
     * Keeps bytes that have been put into {@link #room}.
     *
     * @param count how many
     */
    void received(int count) {
        raw.limit(raw.limit() + count);
    }

    /** Decrypts the next record into {@link #plain}, which must be empty. */
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

    /** Releases the memory for decrypted bytes if there are none. */
    void shrink() {
        if (!plain.hasRemaining()) plain = NOTHING;
    }
}
