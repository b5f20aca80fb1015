package org.trueasync.internal.http.h2;

/** The streams that were reset last: their peer may have sent more of them, before it knew; or against the rules. */
final class ResetStreams {
    /** Negative ones were reset by the peer. */
    private final int[] ids;

    private int next;

    /**
     * Makes an empty one.
     *
     * @param most how many it knows
     */
    ResetStreams(int most) {
        ids = new int[most];
    }

    void add(int id) {
        ids[next++ % ids.length] = id;
    }

    void addOfPeer(int id) {
        add(-id);
    }

    /** True if the peer has reset it. */
    boolean hasOfPeer(int id) {
        return has(-id);
    }

    boolean has(int id) {
        for (int known : ids) if (known == id) return true;
        return false;
    }
}
