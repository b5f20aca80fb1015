package org.trueasync.internal.group;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Those who have asked for one kind of thing, oldest first; each is about as many tasks as the one before, or more. */
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

    /** At the end; one that has been here before, behind those that are about as many tasks. */
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

    /** The oldest one, taken out, if all tasks that it is about have settled; else null. */
    @Nullable
    GroupFuture pollSettled(long settledUpTo) {
        GroupFuture head = first;
        if (head == null || head.before > settledUpTo) return null;
        remove(head);
        return head;
    }

    /** All that are about the task at this position, taken out, oldest first. */
    Iterable<GroupFuture> pollAbout(long position) {
        var found = new ArrayDeque<GroupFuture>(1);
        for (GroupFuture asked = last; asked != null && asked.before > position; asked = last) {
            remove(asked);
            found.addFirst(asked);
        }
        return found;
    }

    /** The oldest one that is about the task at this position. */
    @Nullable
    GroupFuture firstAbout(long position) {
        GroupFuture asked = first;
        while (asked != null && asked.before <= position) asked = asked.next;
        return asked;
    }
}
