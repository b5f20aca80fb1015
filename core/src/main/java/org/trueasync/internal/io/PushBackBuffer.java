package org.trueasync.internal.io;

import java.nio.ByteBuffer;

/** Bytes that have come in and that nobody has taken yet. Usually empty; bounded by what one turn of the reactor delivers at once. */
final class PushBackBuffer {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer bytes = NOTHING;

    boolean isEmpty() {
        return !bytes.hasRemaining();
    }

    /** What is kept; reading from it takes it away. */
    ByteBuffer view() {
        return bytes;
    }

    /** Adds behind what is there. */
    void add(ByteBuffer more) {
        bytes = joined(bytes, more);
    }

    /** Puts in front of what is there. */
    void putFirst(ByteBuffer earlier) {
        bytes = joined(earlier, bytes);
    }

    private static ByteBuffer joined(ByteBuffer first, ByteBuffer second) {
        ByteBuffer both = ByteBuffer.allocate(first.remaining() + second.remaining());
        return both.put(first).put(second).flip();
    }
}
