package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Buffers for outgoing records: taken for a write, given back after it. So an idle connection has none, and there are
 * only as many in use as there are writers. Any thread.
 */
final class Buffers {
    /** In bytes: four records as the JDK's engine makes them, which go to the system in one call. */
    static final int SIZE = 4 * 17 * 1024;

    private static final int MAX_FREE = 16;
    private static final ConcurrentLinkedDeque<ByteBuffer> FREE = new ConcurrentLinkedDeque<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Buffers() {}

    /** Returns an empty buffer, which is the caller's until {@link #give}. */
    static ByteBuffer take() {
        ByteBuffer free = FREE.pollFirst();
        if (free == null) return ByteBuffer.allocate(SIZE);
        COUNT.decrementAndGet();
        return free.clear();
    }

    /**
     * Gives a buffer back.
     *
     * @param buffer from {@link #take}, once
     */
    static void give(ByteBuffer buffer) {
        if (COUNT.incrementAndGet() <= MAX_FREE) FREE.addFirst(buffer);
        else COUNT.decrementAndGet();
    }
}
