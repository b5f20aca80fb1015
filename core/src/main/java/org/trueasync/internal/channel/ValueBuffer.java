package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;

/**
 * The values of a channel, first in, first out; null is one. A ring that grows as it is needed. Each place has a number for good, so that a value can be
 * taken back from the middle in O(1): it leaves a hole, which goes when it comes to either end.
 *
 * <p>Invariant: neither the first nor the last place is a hole.
 */
final class ValueBuffer {
    private static final Object HOLE = new Object();
    private static final int SMALL = 8;
    /** A ring that is longer than this is given up when it gets empty. */
    private static final int LARGE = 4096;

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
        if (head == tail && ring.length > LARGE) ring = new Object[0];
        return value;
    }

    /** Takes the value at a place out; false if it has been polled already. Once for each place. */
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
        @Nullable Object[] larger = new Object[Math.max(SMALL, ring.length * 2)];
        for (long place = head; place < tail; place++)
            larger[(int) place & (larger.length - 1)] = ring[(int) place & (ring.length - 1)];
        ring = larger;
    }
}
