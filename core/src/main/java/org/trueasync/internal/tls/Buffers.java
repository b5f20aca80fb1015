package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory for what is on its way out: taken for a write, given back after it. So a connection that is silent has none, and as many are in use as there are
 * writers. Any thread.
 */
final class Buffers {
    /** Four records as the JDK's engine makes them: so many go to the system in one call. */
    static final int SIZE = 4 * 17 * 1024;

    private static final int MOST_KEPT = 16;
    private static final ConcurrentLinkedDeque<ByteBuffer> KEPT = new ConcurrentLinkedDeque<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Buffers() {}

    /** One that nobody else has, empty. */
    static ByteBuffer take() {
        ByteBuffer kept = KEPT.pollFirst();
        if (kept == null) return ByteBuffer.allocate(SIZE);
        COUNT.decrementAndGet();
        return kept.clear();
    }

    /**
     * It is not needed any more.
     *
     * @param buffer from {@link #take}, once
     */
    static void give(ByteBuffer buffer) {
        if (COUNT.incrementAndGet() <= MOST_KEPT) KEPT.addFirst(buffer);
        else COUNT.decrementAndGet();
    }
}
