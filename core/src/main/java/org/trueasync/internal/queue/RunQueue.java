package org.trueasync.internal.queue;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;

/**
 * The run queue: a ring buffer that grows. Entries are taken from the head; ordinary ones join at the tail,
 * high-priority ones at the head. An entry is rarely removed from another place.
 *
 * <p>Holds coroutines, and tasks of virtual threads that libraries started on our loop. Loop thread only. Invariant:
 * {@code size} entries from {@code head} on are non-null, all others null, so that nothing finished is kept alive.
 */
public class RunQueue {
    private static final int INITIAL_CAPACITY = 64;

    private @Nullable Object[] ring = new Object[INITIAL_CAPACITY];
    private int head;
    private int size;

    public final void addLast(Object entry) {
        if (size == ring.length) grow();
        ring[(head + size) & (ring.length - 1)] = entry;
        size++;
    }

    public void addFirst(Object entry) {
        if (size == ring.length) grow();
        head = (head - 1) & (ring.length - 1);
        ring[head] = entry;
        size++;
    }

    @Nullable
    public Object poll() {
        if (size == 0) return null;
        Object entry = ring[head];
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        size--;
        return entry;
    }

    /** Removes an entry from any place; O(n), rarely needed. False if it is not here. */
    public final boolean remove(Object entry) {
        for (int i = 0; i < size; i++) {
            if (peek(i) != entry) continue;
            removeAt(i);
            return true;
        }
        return false;
    }

    /**
     * Removes an entry from any place; O(n).
     *
     * @param i the number of entries before it, less than {@link #size}
     */
    public Object removeAt(int i) {
        int mask = ring.length - 1;
        Object entry = Objects.requireNonNull(peek(i));
        for (int k = i; k < size - 1; k++) ring[(head + k) & mask] = ring[(head + k + 1) & mask];
        ring[(head + size - 1) & mask] = null;
        size--;
        return entry;
    }

    /**
     * Returns an entry without removing it.
     *
     * @param i the number of entries before it, less than {@link #size}
     */
    @Nullable
    public final Object peek(int i) {
        return ring[(head + i) & (ring.length - 1)];
    }

    public final boolean isEmpty() {
        return size == 0;
    }

    public final int size() {
        return size;
    }

    private void grow() {
        if (ring.length == 1 << 30) throw new OutOfMemoryError("run queue holds " + size + " entries");
        FaultPoint.pass();
        int firstPart = ring.length - head;
        Object[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        System.arraycopy(ring, 0, larger, firstPart, head);
        ring = larger;
        head = 0;
    }
}
