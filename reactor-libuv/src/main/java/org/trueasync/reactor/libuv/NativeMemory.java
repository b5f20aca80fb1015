package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory whose lifetime libuv decides: blocks are freed in callbacks, so an arena can't be used. Addresses are longs,
 * to avoid objects on hot paths.
 */
final class NativeMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final AtomicLong LIVE = new AtomicLong();

    private NativeMemory() {}

    /** Allocates a block with undefined content; it must be freed exactly once, by {@link #free}. */
    static long allocate(long size) {
        long block = Libc.malloc(size);
        if (block == 0) throw new OutOfMemoryError("no native memory for " + size + " bytes");
        LIVE.incrementAndGet();
        return block;
    }

    static void free(long block) {
        LIVE.decrementAndGet();
        Libc.free(block);
    }

    /** Number of blocks that are allocated and not freed, by all reactors of the process. */
    static long liveBlocks() {
        return LIVE.get();
    }

    static long getLong(long address) {
        return ALL.get(JAVA_LONG, address);
    }

    static void setLong(long address, long value) {
        ALL.set(JAVA_LONG, address, value);
    }

    static int getInt(long address) {
        return ALL.get(JAVA_INT, address);
    }

    static void setInt(long address, int value) {
        ALL.set(JAVA_INT, address, value);
    }

    static short getShort(long address) {
        return ALL.get(JAVA_SHORT, address);
    }

    static void setShort(long address, short value) {
        ALL.set(JAVA_SHORT, address, value);
    }

    static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    static void setByte(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    /** Copies the remaining bytes, without moving the position. */
    static void copy(ByteBuffer from, long to) {
        MemorySegment source = MemorySegment.ofBuffer(from);
        MemorySegment.copy(source, 0, ALL, to, source.byteSize());
    }

    static void copy(long from, long to, long length) {
        MemorySegment.copy(ALL, from, ALL, to, length);
    }

    /** Number of bytes before the terminating zero. */
    static long stringLength(long address) {
        long end = address;
        while (getByte(end) != 0) end++;
        return end - address;
    }

    static String getString(long address, Charset encoding) {
        return ALL.getString(address, encoding);
    }

    static String getString(long address) {
        return address == 0 ? "" : ALL.getString(address);
    }

    /**
     * Returns the address of a direct buffer's position; the caller must keep the buffer reachable while it uses the
     * address.
     *
     * @param direct has bytes left
     * @throws IllegalStateException if its memory has been freed
     * @throws WrongThreadException if its memory belongs to another thread
     */
    static long addressOf(ByteBuffer direct) {
        // The JDK checks the arena at an access, but not when it returns the address.
        byte _ = direct.get(direct.position());
        return MemorySegment.ofBuffer(direct).address();
    }
}
