package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.SpareWaiters;
import org.trueasync.internal.await.WaitQueue;

/** Those who wait at a pool, and those who have been promised something there. */
final class PoolWaitQueue<R> {
    private final PoolCore<R> pool;
    private final WaitQueue<PoolWaiter<R>> waiting = new WaitQueue<>();
    private final SpareWaiters<PoolWaiter<R>> spares = new SpareWaiters<>();
    /** Those who have left the queue with a promise and have not run since. */
    private int promised;

    PoolWaitQueue(PoolCore<R> pool) {
        this.pool = pool;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    int promised() {
        return promised;
    }

    /** Reserves a resource, or an empty permit, for the coroutine that waits longest; false if none waits. */
    boolean promise(@Nullable Slot<R> slot) {
        PoolWaiter<R> first = waiting.first();
        if (first == null) return false;
        promised++;
        first.slot = slot;
        first.serve();
        return true;
    }

    /** Sends everybody away. */
    void refuseAll() {
        waiting.refuseAll(() -> null);
    }

    PoolWaiter<R> newWaiter() {
        PoolWaiter<R> spare = spares.poll();
        return spare != null ? spare : new PoolWaiter<>(pool, waiting);
    }

    /** Its wait is over and everything is decided. */
    void recycle(PoolWaiter<R> waiter) {
        if (waiter.isServed()) promised--;
        waiter.clear();
        spares.add(waiter);
    }
}
