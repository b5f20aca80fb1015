package org.trueasync.internal.group;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Futures of one kind, oldest first. They are sorted by {@link GroupFuture#before}. */
final class GroupFutureList {
    private @Nullable GroupFuture first;
    private @Nullable GroupFuture last;

    boolean isEmpty() {
        return first == null;
    }

    @Nullable
    GroupFuture first() {
        return first;
    }

    /** Adds a future in its place by {@code before}, after those with the same number. */
    void add(GroupFuture future) {
        GroupFuture before = last;
        while (before != null && before.before > future.before) before = before.previous;
        GroupFuture after = before == null ? first : before.next;
        future.list = this;
        future.previous = before;
        future.next = after;
        if (before == null) first = future;
        else before.next = future;
        if (after == null) last = future;
        else after.previous = future;
    }

    void remove(GroupFuture future) {
        future.list = null;
        if (future.previous == null) first = future.next;
        else future.previous.next = future.next;
        if (future.next == null) last = future.previous;
        else future.next.previous = future.previous;
        future.previous = null;
        future.next = null;
    }

    /** Removes and returns the oldest one if all tasks that it is about have settled; else null. */
    @Nullable
    GroupFuture pollSettled(long settledUpTo) {
        GroupFuture head = first;
        if (head == null || head.before > settledUpTo) return null;
        remove(head);
        return head;
    }

    /** Removes and returns all that are about the task at this position, oldest first. */
    Iterable<GroupFuture> pollAbout(long position) {
        var found = new ArrayDeque<GroupFuture>(1);
        for (GroupFuture future = last; future != null && future.before > position; future = last) {
            remove(future);
            found.addFirst(future);
        }
        return found;
    }

    /** Returns the oldest one that is about the task at this position; null if there is none. */
    @Nullable
    GroupFuture firstAbout(long position) {
        GroupFuture future = first;
        while (future != null && future.before <= position) future = future.next;
        return future;
    }
}
