package org.trueasync.internal.queue;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Stacks that are idle. The pool follows the load: it keeps one that has become idle while what is queued may need it, between the configured bounds, and lets the surplus go; what
 * has not been used for a whole period is dropped by half, so that a burst's stacks do not stay for good.
 *
 * <p>The last one in is the first out: it is warm.
 *
 * @param <E> what a stack is held by
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
     * An empty one.
     *
     * @param min so many are always kept
     * @param max so many at the most
     */
    public IdlePool(int min, int max) {
        this.min = min;
        this.max = max;
    }

    /** The one that became idle last, or null. */
    public @Nullable E take() {
        E entry = idle.pollLast();
        leastIdle = Math.min(leastIdle, idle.size());
        return entry;
    }

    /** True if one that has just become idle is to be kept while this many entries are queued. */
    public boolean wants(int queued) {
        int size = idle.size();
        return size < min || (size < max && size <= queued);
    }

    /** One has become idle. */
    public void add(E entry) {
        idle.addLast(entry);
    }

    /** Called when the loop is idle: the one to end now because the pool was larger than the load for a whole period, or null. */
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

    /** Any of them, or null; at the end of the run. */
    public @Nullable E drain() {
        return idle.pollLast();
    }

    /** How many there are. */
    public int size() {
        return idle.size();
    }
}
