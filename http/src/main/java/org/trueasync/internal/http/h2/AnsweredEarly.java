package org.trueasync.internal.http.h2;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The streams that were answered before their request was complete, and that the peer counts as open. */
final class AnsweredEarly {
    private static final int MAX = 16;
    /** The oldest first. */
    private final Map<Integer, H2Stream> streams = new LinkedHashMap<>();

    /** Returns the oldest if there are too many. */
    @Nullable
    H2Stream add(H2Stream stream) {
        streams.put(stream.id(), stream);
        return streams.size() <= MAX ? null : streams.values().iterator().next();
    }

    @Nullable
    H2Stream get(int id) {
        return streams.get(id);
    }

    boolean has(int id) {
        return streams.containsKey(id);
    }

    /** Returns whether the stream was one of these. */
    boolean remove(int id) {
        return streams.remove(id) != null;
    }
}
