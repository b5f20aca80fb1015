package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** The buffers of one write, which go one after another. */
final class WriteBuffers {
    /** As many as a system call takes on any system, and few enough to look for a buffer that is there twice. */
    private static final int MOST_PARTS = 128;

    private final ByteBuffer[] all;
    private int first;

    WriteBuffers(ByteBuffer[] buffers) {
        all = Objects.requireNonNull(buffers, "from").clone();
        for (int i = 0; i < all.length; i++) if (all[i] == null) throw new NullPointerException("from[" + i + "]");
    }

    /** The first one with bytes left. */
    ByteBuffer first() {
        return all[first];
    }

    boolean isEmpty() {
        while (first < all.length && !all[first].hasRemaining()) first++;
        return first == all.length;
    }

    /** What is to be done with the buffers of a window. */
    interface Use {
        void with(ByteBuffer[] window);
    }

    /**
     * Has the next buffers used, cut to so many bytes.
     *
     * @return true if all bytes of the window were taken
     */
    boolean window(int most, Use use) {
        if (isEmpty()) return true;
        int end = first;
        int share = 0;
        int left = most;
        while (end < all.length && end - first < MOST_PARTS && left > 0 && !isBetween(first, end, all[end])) {
            share = Math.min(left, all[end++].remaining());
            left -= share;
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

    /** A buffer that is there twice begins a window of its own: no system call gets it twice. */
    private boolean isBetween(int from, int end, ByteBuffer part) {
        for (int i = from; i < end; i++) if (all[i] == part) return true;
        return false;
    }
}
