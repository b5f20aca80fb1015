package org.trueasync.internal.channel;

import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Values that were promised to receivers which then left, while no other receiver waited. They are older than
 * everything in the buffer. They come out in the order of sending, whatever the order in which they were given back.
 */
final class ReturnedValues {
    private record Returned(long promise, @Nullable Object value) implements Comparable<Returned> {
        @Override
        public int compareTo(Returned other) {
            return Long.compare(promise, other.promise);
        }
    }

    /** The values; null while there are none, which is the usual case. */
    private @Nullable PriorityQueue<Returned> values;

    boolean isEmpty() {
        return values == null;
    }

    void add(long promise, @Nullable Object value) {
        if (values == null) values = new PriorityQueue<>();
        values.add(new Returned(promise, value));
    }

    /** Takes the oldest value. There must be one. */
    @Nullable
    Object poll() {
        PriorityQueue<Returned> some = Objects.requireNonNull(values);
        Returned oldest = some.remove();
        if (some.isEmpty()) values = null;
        return oldest.value;
    }
}
