package org.trueasync.internal.await;

import org.jspecify.annotations.Nullable;

/**
 * Waiters kept for reuse, at most 16, so that a wait in a steady state allocates nothing.
 *
 * @param <W> the waiters, all of one queue
 */
public final class SpareWaiters<W extends Waiter> {
    private static final int MAX = 16;

    private @Nullable Waiter first;
    private int count;

    public SpareWaiters() {}

    /** Takes a cleared waiter out; null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable W poll() {
        Waiter waiter = first;
        if (waiter == null) return null;
        first = waiter.next;
        if (first != null) waiter.next = null;
        count--;
        return (W) waiter;
    }

    /**
     * Keeps a waiter for reuse, unless there are enough. The waiter's wait is over and settled, and the waiter has been
     * cleared.
     */
    public void add(W waiter) {
        if (count == MAX) return;
        if (first != null) ((Waiter) waiter).next = first;
        first = waiter;
        count++;
    }
}
