package org.trueasync.internal.http.h2;

import java.util.LinkedHashSet;
import java.util.Set;

/** The streams that were answered before their request was complete, and that the peer counts as open. */
final class AnsweredEarly {
    private static final int MAX = 16;
    /** The oldest first. */
    private final Set<Integer> ids = new LinkedHashSet<>();

    /** Returns the oldest if there are too many, which is removed, and 0 else. */
    int add(int id) {
        ids.add(id);
        if (ids.size() <= MAX) return 0;
        int oldest = ids.iterator().next();
        ids.remove(oldest);
        return oldest;
    }

    /** Returns whether the stream was one of these. */
    boolean remove(int id) {
        return ids.remove(id);
    }
}
