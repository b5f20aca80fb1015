package org.trueasync.internal.http.server;

import java.util.ArrayDeque;
import org.trueasync.internal.http.message.HeadWriter;

/** Writers that are used again. Loop thread. */
final class Writers {
    private static final int KEPT = 64;
    private static final int BYTES = 4 * 1024;
    private static final int LARGEST_KEPT = 64 * 1024;
    private final ArrayDeque<HeadWriter> free = new ArrayDeque<>();

    HeadWriter take() {
        HeadWriter known = free.pollLast();
        return known == null ? new HeadWriter(BYTES) : known.clear();
    }

    void give(HeadWriter writer) {
        if (free.size() < KEPT && writer.size() <= LARGEST_KEPT) free.addLast(writer);
    }
}
