package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** The buffers of one write, sent one after another. */
final class WriteBuffers {
    /** Every system takes this many in one call, and they are few enough to search for a buffer that occurs twice. */
    private static final int MAX_PARTS = 128;

    private final ByteBuffer[] all;
    private int first;

    WriteBuffers(ByteBuffer[] buffers) {
        all = Objects.requireNonNull(buffers, "from").clone();
        for (int i = 0; i < all.length; i++) if (all[i] == null) throw new NullPointerException("from[" + i + "]");
    }

    /** The first buffer with bytes left; valid after {@link #isEmpty} was false. */
    ByteBuffer first() {
        return all[first];
    }

    boolean isEmpty() {
        while (first < all.length && !all[first].hasRemaining()) first++;
        return first == all.length;
    }

    /** Consumes the buffers of a window. */
    interface Use {
        void with(ByteBuffer[] window);
    }

    /**
     * Calls {@code use} with the next buffers, cut to a number of bytes in total.
     *
     * @param maxBytes bytes of the window, at most
     * @return true if all bytes of the window were taken, or if no bytes are left
     */
    boolean window(int maxBytes, Use use) {
        if (isEmpty()) return true;
        int end = first;
        int share = 0;
        int room = maxBytes;
        while (end < all.length && end - first < MAX_PARTS && room > 0 && !isBetween(first, end, all[end])) {
            share = Math.min(room, all[end++].remaining());
            room -= share;
        }
        ByteBuffer last = all[end - 1];
        int limit = last.limit();
        last.limit(last.position() + share);
        try {
            use.with(Arrays.copyOfRange(all, first, end));
            for (int i = first; i < end; i++) if (all[i].hasRemaining()) return false;
            return true;
        } finally {
            last.limit(limit);
        }
    }

    /**
     * True if {@code part} is in the window already. The next window then begins with it, because no system call may
     * get a buffer twice.
     */
    private boolean isBetween(int from, int end, ByteBuffer part) {
        for (int i = from; i < end; i++) if (all[i] == part) return true;
        return false;
    }
}
