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
    void add(GroupFuture asked) {
        GroupFuture before = last;
        while (before != null && before.before > asked.before) before = before.previous;
        GroupFuture after = before == null ? first : before.next;
        asked.list = this;
        asked.previous = before;
        asked.next = after;
        if (before == null) first = asked;
        else before.next = asked;
        if (after == null) last = asked;
        else after.previous = asked;
    }

    void remove(GroupFuture asked) {
        asked.list = null;
        if (asked.previous == null) first = asked.next;
        else asked.previous.next = asked.next;
        if (asked.next == null) last = asked.previous;
        else asked.next.previous = asked.previous;
        asked.previous = null;
        asked.next = null;
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
        for (GroupFuture asked = last; asked != null && asked.before > position; asked = last) {
            remove(asked);
            found.addFirst(asked);
        }
        return found;
    }

    /** Returns the oldest one that is about the task at this position; null if there is none. */
    @Nullable
    GroupFuture firstAbout(long position) {
        GroupFuture asked = first;
        while (asked != null && asked.before <= position) asked = asked.next;
        return asked;
    }
}
