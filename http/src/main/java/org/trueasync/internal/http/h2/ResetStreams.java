package org.trueasync.internal.http.h2;

/** The streams that were reset last: their peer may have sent more of them, before it knew. */
final class ResetStreams {
    private final int[] ids = new int[256];
    private int next;

    void add(int id) {
        ids[next++ % ids.length] = id;
    }

    boolean has(int id) {
        for (int known : ids) if (known == id) return true;
        return false;
    }
}
