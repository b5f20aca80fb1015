package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;

/**
 * The values of a channel, first in, first out; null is a value. A ring that grows on demand. Each place has a
 * permanent number, so a value can be taken back from the middle in O(1). That leaves a hole, which is removed when it
 * reaches either end.
 *
 * <p>Invariant: neither the first nor the last place is a hole.
 */
final class ValueBuffer {
    private static final Object HOLE = new Object();
    private static final int INITIAL_CAPACITY = 8;
    /** A longer ring is dropped when its last value is polled. */
    private static final int MAX_KEPT_CAPACITY = 4096;

    private @Nullable Object[] ring = new Object[0];
    private long head;
    private long tail;

    boolean isEmpty() {
        return head == tail;
    }

    /** Appends a value; returns the number of its place. */
    long add(@Nullable Object value) {
        if (tail - head == ring.length) grow();
        ring[(int) tail & (ring.length - 1)] = value;
        return tail++;
    }

    /** Takes the first value of a buffer that is not empty. */
    @Nullable
    Object poll() {
        int mask = ring.length - 1;
        int at = (int) head & mask;
        Object value = ring[at];
        ring[at] = null;
        head++;
        while (head != tail && ring[(int) head & mask] == HOLE) ring[(int) head++ & mask] = null;
        if (head == tail && ring.length > MAX_KEPT_CAPACITY) ring = new Object[0];
        return value;
    }

    /** Removes the value at a place; false if it has been polled already. Called at most once for each place. */
    boolean takeBack(long place) {
        if (place < head) return false;
        int mask = ring.length - 1;
        ring[(int) place & mask] = HOLE;
        while (head != tail && ring[(int) (tail - 1) & mask] == HOLE) ring[(int) --tail & mask] = null;
        while (head != tail && ring[(int) head & mask] == HOLE) ring[(int) head++ & mask] = null;
        return true;
    }

    private void grow() {
        if (ring.length == 1 << 30) throw new OutOfMemoryError("a channel holds " + ring.length + " values");
        @Nullable Object[] larger = new Object[Math.max(INITIAL_CAPACITY, ring.length * 2)];
        for (long place = head; place < tail; place++)
            larger[(int) place & (larger.length - 1)] = ring[(int) place & (ring.length - 1)];
        ring = larger;
    }
}
