package org.trueasync.internal.channel;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Values that were promised to receivers who then left, with nobody else waiting. They are older than everything in the buffer, and come out in the order
 * in which they were sent, whatever the order in which they were given back.
 */
final class ReturnedValues {
    private record Returned(long promise, @Nullable Object value) implements Comparable<Returned> {
        @Override
        public int compareTo(Returned other) {
            return Long.compare(promise, other.promise);
        }
    }

    /** Made when it is needed: it hardly ever is. */
    private @Nullable PriorityQueue<Returned> values;

    boolean isEmpty() {
        return values == null || values.isEmpty();
    }

    int size() {
        return values == null ? 0 : values.size();
    }

    void add(long promise, @Nullable Object value) {
        if (values == null) values = new PriorityQueue<>();
        values.add(new Returned(promise, value));
    }

    /** The oldest one, of some. */
    @Nullable
    Object poll() {
        if (values == null) return null;
        Returned oldest = values.remove();
        if (values.isEmpty()) values = null;
        return oldest.value;
    }
}
