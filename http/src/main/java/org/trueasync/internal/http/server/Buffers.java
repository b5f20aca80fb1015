package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;

/** Buffers for what comes in, which connections share: a small one for a head, a large one for more. Loop thread. */
final class Buffers {
    private static final int SMALL = 4 * 1024;
    /** As much as a reactor delivers at once. */
    private static final int LARGE = 64 * 1024;

    private static final int KEPT = 64;

    private final Spares<ByteBuffer> small = new Spares<>(KEPT, () -> ByteBuffer.allocate(SMALL));
    private final Spares<ByteBuffer> large = new Spares<>(KEPT, () -> ByteBuffer.allocate(LARGE));

    /** Returns an empty buffer with room for that many bytes, or the largest one. */
    ByteBuffer take(int bytes) {
        return (bytes <= SMALL ? small : large).take().clear();
    }

    /** Takes a buffer back that nobody uses any more; others than its own are not kept. */
    void give(ByteBuffer buffer) {
        if (buffer.capacity() == SMALL) small.give(buffer);
        else if (isLarge(buffer)) large.give(buffer);
    }

    static boolean isLarge(ByteBuffer buffer) {
        return buffer.capacity() == LARGE;
    }
}
