package org.trueasync.internal.pool;

import org.jspecify.annotations.Nullable;

/** Those who wait at a pool, in the order of arrival; who leaves from the middle does so in constant time. Keeps some waiters for the next waits. */
final class PoolWaitQueue<R> {
    private static final int MOST_SPARE = 16;

    private final PoolCore<R> pool;
    private @Nullable PoolWaiter<R> first;
    private @Nullable PoolWaiter<R> last;
    private int size;
    /** Those who have left the line with a promise and have not run since. */
    private int promised;

    private @Nullable PoolWaiter<R> spare;
    private int spares;

    PoolWaitQueue(PoolCore<R> pool) {
        this.pool = pool;
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    int promised() {
        return promised;
    }

    void add(PoolWaiter<R> waiter) {
        waiter.previous = last;
        if (last == null) first = waiter;
        else last.next = waiter;
        last = waiter;
        size++;
    }

    void remove(PoolWaiter<R> waiter) {
        if (waiter.previous == null) first = waiter.next;
        else waiter.previous.next = waiter.next;
        if (waiter.next == null) last = waiter.previous;
        else waiter.next.previous = waiter.previous;
        waiter.previous = null;
        waiter.next = null;
        size--;
    }

    /** Promises a resource, or a place, to who waits longest; false if nobody waits. */
    boolean promise(@Nullable Slot<R> slot) {
        if (first == null) return false;
        promised++;
        first.wake(PoolWaiter.PROMISED, slot);
        return true;
    }

    /** Sends everybody away. */
    void refuseAll() {
        while (first != null) first.wake(PoolWaiter.REFUSED, null);
    }

    PoolWaiter<R> newWaiter() {
        PoolWaiter<R> waiter = spare;
        if (waiter == null) return new PoolWaiter<>(pool, this);
        spare = waiter.next;
        waiter.next = null;
        spares--;
        return waiter;
    }

    /** His wait is over and everything is decided. */
    void recycle(PoolWaiter<R> waiter) {
        if (waiter.state == PoolWaiter.PROMISED) promised--;
        waiter.clear();
        if (spares == MOST_SPARE) return;
        waiter.next = spare;
        spare = waiter;
        spares++;
    }
}
