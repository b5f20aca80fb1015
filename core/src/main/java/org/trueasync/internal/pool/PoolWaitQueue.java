package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.SpareWaiters;
import org.trueasync.internal.await.WaitQueue;

/** The coroutines that wait for a pool, and the number of those with a promise. */
final class PoolWaitQueue<R> {
    private final PoolCore<R> pool;
    private final WaitQueue<PoolWaiter<R>> waiting = new WaitQueue<>();
    private final SpareWaiters<PoolWaiter<R>> spares = new SpareWaiters<>();
    /** The number of coroutines that have left the queue with a promise and have not run since. */
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

    void refuseAll() {
        waiting.refuseAll(() -> null);
    }

    PoolWaiter<R> newWaiter() {
        PoolWaiter<R> spare = spares.poll();
        return spare != null ? spare : new PoolWaiter<>(pool, waiting);
    }

    /** Keeps a waiter for reuse; its wait is over and settled. */
    void recycle(PoolWaiter<R> waiter) {
        if (waiter.isServed()) promised--;
        waiter.clear();
        spares.add(waiter);
    }
}
