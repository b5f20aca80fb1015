package org.trueasync.internal.await;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coroutines that wait for one thing: first come, first served. Loop thread only.
 *
 * <p>A wake only queues a coroutine. So the owner of this queue serves the {@link #first} waiter at once: the waiter
 * leaves the queue and owns what it waited for from that moment. No other coroutine can take that before the waiter
 * runs. If the waiter leaves instead (it was cancelled, or its token ended), it hands on what it has to the next one in
 * the queue. The owner counts what it serves. No unit is lost and none is given twice, because each waiter is served
 * once and then either returns or hands on.
 *
 * <p>The waiters are the list nodes: a waiter leaves from the middle in constant time, and a wait allocates nothing
 * here.
 *
 * @param <W> the waiters
 */
public final class WaitQueue<W extends Waiter> {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    public WaitQueue() {}

    public boolean isEmpty() {
        return first == null;
    }

    public int size() {
        return size;
    }

    /** Returns the waiter that has waited longest; null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable W first() {
        return (W) first;
    }

    /**
     * Refuses all waiters.
     *
     * @param error supplies each waiter's error; null wakes the waiter without one
     */
    public void refuseAll(Supplier<? extends @Nullable Throwable> error) {
        for (Waiter waiter = first; waiter != null; waiter = first) waiter.refuse(error.get());
    }

    void add(Waiter waiter) {
        Waiter before = last;
        last = waiter;
        if (before == null) {
            first = waiter;
        } else {
            waiter.previous = before;
            before.next = waiter;
        }
        size++;
    }

    void remove(Waiter waiter) {
        Waiter before = waiter.previous;
        Waiter after = waiter.next;
        if (before == null) first = after;
        else before.next = after;
        if (after == null) last = before;
        else after.previous = before;
        // most waiters are alone in the queue and need no writes
        if (before != null) waiter.previous = null;
        if (after != null) waiter.next = null;
        size--;
    }
}
