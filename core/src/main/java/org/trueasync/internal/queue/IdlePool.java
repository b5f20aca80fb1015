package org.trueasync.internal.queue;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Idle stacks. The pool follows the load: it keeps a stack that has become idle while a queued entry may need it,
 * within the configured bounds. Of those that were not used for a whole period it drops half, so that the stacks of a
 * burst do not stay for good.
 *
 * <p>Last in, first out: the last one is still in the caches.
 *
 * @param <E> the object that holds a stack
 */
public final class IdlePool<E> {
    private static final long SHRINK_PERIOD = 1_000_000_000L;

    private final ArrayDeque<E> idle = new ArrayDeque<>();
    private final int min;
    private final int max;
    private int leastIdle;
    private long periodStart;
    private int toDrop;

    /**
     * Creates an empty pool.
     *
     * @param min the number that is always kept
     * @param max the largest number
     */
    public IdlePool(int min, int max) {
        this.min = min;
        this.max = max;
    }

    /** Takes the stack that became idle last; null if there is none. */
    public @Nullable E take() {
        E entry = idle.pollLast();
        leastIdle = Math.min(leastIdle, idle.size());
        return entry;
    }

    /** True if a stack that has just become idle is to be kept while this many entries are queued. */
    public boolean wants(int queued) {
        int size = idle.size();
        return size < min || (size < max && size <= queued);
    }

    public void add(E entry) {
        idle.addLast(entry);
    }

    /**
     * Takes a stack that was surplus for a whole period; null if there is none. Called when the loop is idle, with the
     * time in nanoseconds.
     */
    public @Nullable E surplus(long now) {
        if (now - periodStart >= SHRINK_PERIOD) {
            toDrop = Math.min((leastIdle + 1) / 2, Math.max(0, idle.size() - min));
            periodStart = now;
            leastIdle = idle.size();
        }
        if (toDrop == 0) return null;
        toDrop--;
        leastIdle = Math.max(0, leastIdle - 1);
        return idle.pollFirst();
    }

    /** Takes any stack, or null; at the end of the run. */
    public @Nullable E drain() {
        return idle.pollLast();
    }

    public int size() {
        return idle.size();
    }
}
