package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;

/** Waiters of one channel that are not in use, some of them: a wait in a steady state allocates nothing. */
final class SpareWaiters {
    private static final int MOST = 16;

    private @Nullable Waiter first;
    private int count;

    Waiter take(ChannelCore channel, boolean sends, @Nullable Object value) {
        Waiter waiter = first;
        if (waiter == null) {
            waiter = new Waiter(channel);
        } else {
            first = waiter.next;
            if (first != null) waiter.next = null;
            count--;
        }
        waiter.sends = sends;
        if (sends) waiter.value = value;
        return waiter;
    }

    void add(Waiter waiter) {
        waiter.clear();
        if (count == MOST) return;
        if (first != null) waiter.next = first;
        first = waiter;
        count++;
    }
}
