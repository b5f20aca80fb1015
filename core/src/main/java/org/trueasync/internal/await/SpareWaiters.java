package org.trueasync.internal.await;

import org.jspecify.annotations.Nullable;

/**
 * Waiters that are not in use, some of them: a wait in a steady state allocates nothing.
 *
 * @param <W> the waiters, all of one queue
 */
public final class SpareWaiters<W extends Waiter> {
    private static final int MOST = 16;

    private @Nullable Waiter first;
    private int count;

    /** None so far. */
    public SpareWaiters() {}

    /** One that is as new; null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable W poll() {
        Waiter waiter = first;
        if (waiter == null) return null;
        first = waiter.next;
        if (first != null) waiter.next = null;
        count--;
        return (W) waiter;
    }

    /** Keeps one whose wait is over, with everything decided, and that has been cleared. */
    public void add(W waiter) {
        if (count == MOST) return;
        if (first != null) ((Waiter) waiter).next = first;
        first = waiter;
        count++;
    }
}
