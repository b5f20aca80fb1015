package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Idle execution contexts. The pool follows the load: it keeps a finished context while unstarted coroutines may need it (as many as the run
 * queue is long), between the configured bounds, and lets the surplus go; what has not been used for a whole period is dropped
 * by half, so that a burst's stacks do not stay for good.
 *
 * <p>The last context in is the first out: its stack is warm.
 */
final class ContextPool {
    private static final long SHRINK_PERIOD = 1_000_000_000L;

    private final ArrayDeque<ExecutionContext> idle = new ArrayDeque<>();
    private final int min;
    private final int max;
    private int leastIdle;
    private long periodStart;
    private int toDrop;

    ContextPool(int min, int max) {
        this.min = min;
        this.max = max;
    }

    @Nullable
    ExecutionContext take() {
        ExecutionContext context = idle.pollLast();
        leastIdle = Math.min(leastIdle, idle.size());
        return context;
    }

    /** True if a context that has just become idle is to be kept while this many entries are queued. */
    boolean wants(int queued) {
        int size = idle.size();
        return size < min || (size < max && size <= queued);
    }

    void add(ExecutionContext context) {
        idle.addLast(context);
    }

    /** Called when the loop is idle: the context to end now because the pool was larger than the load for a whole period, or null. */
    @Nullable
    ExecutionContext surplus(long now) {
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

    @Nullable
    ExecutionContext drain() {
        return idle.pollLast();
    }

    int size() {
        return idle.size();
    }
}
