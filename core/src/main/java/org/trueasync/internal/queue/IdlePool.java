package org.trueasync.internal.queue;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Idle stacks. Their number follows the load, between a minimum and a maximum. Above the minimum, a stack that becomes
 * idle is kept only if the run queue has at least as many entries as the pool has stacks. After each period, half of
 * the stacks that were idle during all of it are given up, so that the stacks of a burst do not stay for good.
 *
 * <p>Last in, first out: the stack that became idle last is still in the caches.
 *
 * <p>Loop thread only.
 *
 * @param <E> the object that holds a stack
 */
public final class IdlePool<E> {
    private static final long SHRINK_PERIOD_NANOS = 1_000_000_000L;

    private final ArrayDeque<E> idle = new ArrayDeque<>();
    private final int min;
    private final int max;
    private int leastIdle;
    private long periodStartNanos;
    private int toDrop;

    /**
     * Creates an empty pool.
     *
     * @param min down to this number, no stack is given up
     * @param max no more stacks than this are kept
     */
    public IdlePool(int min, int max) {
        this.min = min;
        this.max = max;
    }

    /** Takes the stack that became idle last; null if there is none. */
    public @Nullable E take() {
        E stack = idle.pollLast();
        leastIdle = Math.min(leastIdle, idle.size());
        return stack;
    }

    /**
     * True if a stack that has just become idle is to be kept.
     *
     * @param queued the number of entries in the run queue
     */
    public boolean wants(int queued) {
        int size = idle.size();
        return size < min || (size < max && size <= queued);
    }

    public void add(E stack) {
        idle.addLast(stack);
    }

    /**
     * Takes a stack that is to be given up, the one that has been idle longest; null if there is none. Called when the
     * loop is about to wait.
     *
     * @param nowNanos the time in nanoseconds
     */
    public @Nullable E takeSurplus(long nowNanos) {
        if (nowNanos - periodStartNanos >= SHRINK_PERIOD_NANOS) {
            toDrop = Math.min((leastIdle + 1) / 2, Math.max(0, idle.size() - min));
            periodStartNanos = nowNanos;
            leastIdle = idle.size();
        }
        if (toDrop == 0) return null;
        toDrop--;
        leastIdle = Math.max(0, leastIdle - 1);
        return idle.pollFirst();
    }

    /** Takes any stack; null if there is none. For the end of the run. */
    public @Nullable E takeAny() {
        return idle.pollLast();
    }

    public int size() {
        return idle.size();
    }
}
