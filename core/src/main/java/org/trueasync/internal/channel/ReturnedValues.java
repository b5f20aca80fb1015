package org.trueasync.internal.channel;

import java.util.Objects;
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

    /** Null while there is none: there hardly ever is one. */
    private @Nullable PriorityQueue<Returned> values;

    boolean isEmpty() {
        return values == null;
    }

    void add(long promise, @Nullable Object value) {
        if (values == null) values = new PriorityQueue<>();
        values.add(new Returned(promise, value));
    }

    /** The oldest one, of some. */
    @Nullable
    Object poll() {
        PriorityQueue<Returned> some = Objects.requireNonNull(values);
        Returned oldest = some.remove();
        if (some.isEmpty()) values = null;
        return oldest.value;
    }
}
