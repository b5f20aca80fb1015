package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;

/** Those who wait on one side of a channel, in the order of arrival. The waiters are the links, so that leaving from the middle is O(1). */
final class ChannelWaitQueue {
    @Nullable
    ChannelWaiter first;

    private @Nullable ChannelWaiter last;
    private int size;

    void add(ChannelWaiter waiter) {
        ChannelWaiter before = last;
        last = waiter;
        if (before == null) {
            first = waiter;
        } else {
            waiter.previous = before;
            before.next = waiter;
        }
        size++;
    }

    void remove(ChannelWaiter waiter) {
        ChannelWaiter before = waiter.previous;
        ChannelWaiter after = waiter.next;
        if (before == null) first = after;
        else before.next = after;
        if (after == null) last = before;
        else after.previous = before;
        // one that is alone, as most are, needs no writes
        if (before != null) waiter.previous = null;
        if (after != null) waiter.next = null;
        size--;
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    /** How many they are, for people; nothing if there are none. */
    void describe(StringBuilder text, String what) {
        if (size > 0) text.append(", ").append(size).append(' ').append(what).append(size == 1 ? "" : "s");
    }
}
