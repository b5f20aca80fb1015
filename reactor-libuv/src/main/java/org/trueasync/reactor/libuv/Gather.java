package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;

/** Writes several buffers with one system call. One for each loop. */
final class Gather {
    /*
     * Direct buffers are passed as they are. Heap buffers, which may move, are copied one behind the other into the
     * loop's write buffer; copies that lie next to each other become one piece. When the pieces or the write buffer are
     * used up, the gathered bytes are written, and gathering begins again.
     *
     * Positions move while gathering, and move back by what the system did not take. So a buffer that occurs twice is
     * sent once.
     */
    private static final int MAX_PIECES = 64;
    /** Buffers in one system call, at most. */
    private static final int MAX_PARTS = 256;

    private final UvReactor reactor;
    private final long pieces;
    private int pieceCount;
    private int copied;
    /** Bytes gathered of each part. */
    private final int[] shares = new int[MAX_PARTS];

    Gather(UvReactor reactor, Arena arena) {
        this.reactor = reactor;
        this.pieces = arena.allocate(UvLayouts.BUF_SIZE * MAX_PIECES, 16).address();
    }

    /** See {@link org.trueasync.spi.StreamHandle#tryWrite(ByteBuffer[])}. */
    @Nullable
    SystemError write(long stream, ByteBuffer[] parts) {
        int from = 0;
        while (true) {
            while (from < parts.length && !parts[from].hasRemaining()) from++;
            if (from == parts.length) return null;
            int end = from;
            long gathered = 0;
            long taken = 0;
            pieceCount = 0;
            copied = 0;
            try {
                while (end < parts.length && end - from < MAX_PARTS) {
                    int share = add(parts[end]);
                    if (share < 0) break;
                    shares[end - from] = share;
                    gathered += share;
                    end++;
                    if (parts[end - 1].hasRemaining()) break;
                }
                if (gathered == 0) return null;
                taken = Uv.tryWrite(stream, pieces, pieceCount);
            } finally {
                Reference.reachabilityFence(parts);
                putBack(parts, from, end, gathered - Math.max(0, taken));
            }
            if (taken < 0) return taken == -Platform.EAGAIN ? null : UvErrors.of((int) taken);
            if (taken < gathered) return null; // full: asking again would only cost a system call
            from = end - 1;
        }
    }

    /**
     * Gathers a buffer, or as much of it as there is room for; moves its position. Returns how many bytes, -1 if there
     * is no room.
     */
    private int add(ByteBuffer part) {
        int length = part.remaining();
        if (length == 0) return 0;
        boolean direct = part.isDirect();
        boolean joins = !direct && pieceCount > 0 && endOfLast() == reactor.writeAddress + copied;
        if (!joins && pieceCount == MAX_PIECES) return -1;
        if (direct) {
            piece(NativeMemory.addressOf(part), length);
        } else {
            length = Math.min(length, UvReactor.CHUNK - copied);
            if (length == 0) return -1;
            reactor.writeBuffer.put(copied, part, part.position(), length);
            if (joins) grow(length);
            else piece(reactor.writeAddress + copied, length);
            copied += length;
        }
        part.position(part.position() + length);
        return length;
    }

    private void piece(long base, int length) {
        long piece = pieces + UvLayouts.BUF_SIZE * pieceCount++;
        NativeMemory.setLong(piece + UvLayouts.BUF_BASE, base);
        NativeMemory.setLong(piece + UvLayouts.BUF_LEN, length);
    }

    private void grow(int more) {
        long piece = pieces + UvLayouts.BUF_SIZE * (pieceCount - 1);
        NativeMemory.setLong(piece + UvLayouts.BUF_LEN, NativeMemory.getLong(piece + UvLayouts.BUF_LEN) + more);
    }

    private long endOfLast() {
        long piece = pieces + UvLayouts.BUF_SIZE * (pieceCount - 1);
        return NativeMemory.getLong(piece + UvLayouts.BUF_BASE) + NativeMemory.getLong(piece + UvLayouts.BUF_LEN);
    }

    /** Moves positions back by a number of bytes, from the last part on. */
    private void putBack(ByteBuffer[] parts, int from, int end, long untaken) {
        for (int i = end - 1; i >= from && untaken > 0; i--) {
            int back = (int) Math.min(untaken, shares[i - from]);
            parts[i].position(parts[i].position() - back);
            untaken -= back;
        }
    }
}
