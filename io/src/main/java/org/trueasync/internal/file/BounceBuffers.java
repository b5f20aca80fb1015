package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Buffers for calls on helper threads. A call may outlive its caller, which then reuses its own buffer; so the call
 * never works on the caller's buffer. A few buffers are kept for later calls; all runtimes of the process share them.
 */
final class BounceBuffers {
    /** Bytes that one call moves, at most. */
    static final int LARGE = 256 * 1024;

    private static final int SMALL = 16 * 1024;

    private static final BounceBuffers SMALL_ONES = new BounceBuffers(SMALL, 64);
    private static final BounceBuffers LARGE_ONES = new BounceBuffers(LARGE, 16);

    private final int size;
    private final int maxKept;
    private final ConcurrentLinkedDeque<ByteBuffer> kept = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();

    private BounceBuffers(int size, int maxKept) {
        this.size = size;
        this.maxKept = maxKept;
    }

    /**
     * Returns a direct buffer with this much room, or {@link #LARGE} if that is less. Any thread.
     *
     * @param wanted bytes, >= 1
     */
    static ByteBuffer take(long wanted) {
        ByteBuffer buffer = (wanted <= SMALL ? SMALL_ONES : LARGE_ONES).take();
        return buffer.clear().limit((int) Math.min(wanted, buffer.capacity()));
    }

    /**
     * Gives back a buffer that is not used any more. Any thread.
     *
     * @param buffer from {@link #take}, once
     */
    static void give(ByteBuffer buffer) {
        (buffer.capacity() == SMALL ? SMALL_ONES : LARGE_ONES).keep(buffer);
    }

    private ByteBuffer take() {
        ByteBuffer buffer = kept.pollFirst();
        if (buffer == null) return ByteBuffer.allocateDirect(size);
        count.decrementAndGet();
        return buffer;
    }

    private void keep(ByteBuffer buffer) {
        if (count.incrementAndGet() > maxKept) count.decrementAndGet();
        else kept.addFirst(buffer);
    }
}
