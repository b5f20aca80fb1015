package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Buffers that are used again. Loop thread. */
final class Pool {
    private static final int KEPT = 64;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** Returns an empty buffer. All buffers of a pool have one size. */
    ByteBuffer take(int bytes) {
        ByteBuffer known = free.pollLast();
        return known == null ? ByteBuffer.allocate(bytes) : known.clear();
    }

    /** Takes a buffer back that nobody uses any more. */
    void give(ByteBuffer buffer) {
        if (free.size() < KEPT) free.addLast(buffer);
    }
}
