package org.trueasync.internal.await;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coroutines that wait at one thing: first come, first served. Loop thread only.
 *
 * <p>A wake only queues a coroutine. So whoever has something to give serves the {@link #first} one: that one leaves the queue, and has what it waited for
 * from that moment. Nobody slips in before it runs; if it leaves instead (cancelled, its token ended), it hands on what it has, to the next in the queue. What is served is
 * the user's to count; no unit is lost and none is given twice, as each waiter is served once and either returns or hands on.
 *
 * <p>The waiters are the links: one that leaves from the middle does so in constant time, and a wait takes no memory here.
 *
 * @param <W> the waiters
 */
public final class WaitQueue<W extends Waiter> {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    /** One where nobody waits. */
    public WaitQueue() {}

    /** True if nobody waits. */
    public boolean isEmpty() {
        return first == null;
    }

    /** How many wait. */
    public int size() {
        return size;
    }

    /** Who waits longest; null if nobody does. */
    @SuppressWarnings("unchecked")
    public @Nullable W first() {
        return (W) first;
    }

    /**
     * Sends everybody away.
     *
     * @param error for each of them; null to wake them without one
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
        // one that is alone, as most are, needs no writes
        if (before != null) waiter.previous = null;
        if (after != null) waiter.next = null;
        size--;
    }
}
