package org.trueasync.internal.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;

/**
 * The run queue: a ring buffer that grows. Entries are taken from the head; ordinary ones join at the tail,
 * high-priority ones at the head. An entry is rarely removed from another place.
 *
 * <p>Holds coroutines, and tasks of virtual threads that libraries started on our loop. Loop thread only. Invariant:
 * {@code size} entries from {@code head} on, modulo the capacity, are non-null, all others null, so that nothing
 * finished is kept alive.
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
        head--;
        ring[head & (ring.length - 1)] = entry;
        size++;
    }

    @Nullable
    public Object poll() {
        if (size == 0) return null;
        int cell = head & (ring.length - 1);
        Object entry = ring[cell];
        ring[cell] = null;
        head++;
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

    /**
     * Returns how many entries have been taken so far, less those that were added at the head. All entries that are
     * here now have been taken once this has grown by the present {@link #size}. Wraps around; compare by difference.
     */
    public final int position() {
        return head;
    }

    private void grow() {
        if (ring.length == 1 << 30) throw new OutOfMemoryError("run queue holds " + size + " entries");
        FaultPoint.pass();
        Object[] larger = new Object[ring.length * 2];
        int first = head & (ring.length - 1);
        int to = head & (larger.length - 1);
        int firstPart = ring.length - first;
        System.arraycopy(ring, first, larger, to, firstPart);
        System.arraycopy(ring, 0, larger, (to + firstPart) & (larger.length - 1), first);
        ring = larger;
    }
}
