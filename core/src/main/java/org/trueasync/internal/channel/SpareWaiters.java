package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;

/** Waiters of one channel that are not in use, some of them: a wait in a steady state allocates nothing. */
final class SpareWaiters {
    private static final int MOST = 16;

    private @Nullable ChannelWaiter first;
    private int count;

    ChannelWaiter take(ChannelCore channel, boolean sends, @Nullable Object value) {
        ChannelWaiter waiter = first;
        if (waiter == null) {
            waiter = new ChannelWaiter(channel);
        } else {
            first = waiter.next;
            if (first != null) waiter.next = null;
            count--;
        }
        waiter.sends = sends;
        if (sends) waiter.value = value;
        return waiter;
    }

    void add(ChannelWaiter waiter) {
        waiter.clear();
        if (count == MOST) return;
        if (first != null) waiter.next = first;
        first = waiter;
        count++;
    }
}
