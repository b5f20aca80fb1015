package org.trueasync.internal.io;

import java.nio.ByteBuffer;

/**
 * Push-back buffer: bytes that have come in and that no read has taken yet. Usually empty; bounded by what the reactor
 * delivers at once.
 */
final class PushBackBuffer {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer bytes = NOTHING;

    boolean isEmpty() {
        return !bytes.hasRemaining();
    }

    /** Returns the kept bytes; reading from this buffer removes them. */
    ByteBuffer view() {
        return bytes;
    }

    /** Adds bytes behind the kept ones. */
    void add(ByteBuffer more) {
        bytes = joined(bytes, more);
    }

    /** Puts bytes in front of the kept ones. */
    void putFirst(ByteBuffer earlier) {
        bytes = joined(earlier, bytes);
    }

    private static ByteBuffer joined(ByteBuffer first, ByteBuffer second) {
        ByteBuffer both = ByteBuffer.allocate(first.remaining() + second.remaining());
        return both.put(first).put(second).flip();
    }
}
