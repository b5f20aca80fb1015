package org.trueasync.internal.group;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Futures that are answered in the same way. They are sorted by {@link GroupFuture#before}; those with the same number
 * are in the order in which they were added.
 */
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
        GroupFuture predecessor = last;
        while (predecessor != null && predecessor.before > future.before) predecessor = predecessor.previous;
        GroupFuture successor = predecessor == null ? first : predecessor.next;
        future.list = this;
        future.previous = predecessor;
        future.next = successor;
        if (predecessor == null) first = future;
        else predecessor.next = future;
        if (successor == null) last = future;
        else successor.previous = future;
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

    /** Removes and returns the first future if all tasks that it is about have settled; else null. */
    @Nullable
    GroupFuture pollSettled(long settledUpTo) {
        GroupFuture head = first;
        if (head == null || head.before > settledUpTo) return null;
        remove(head);
        return head;
    }

    /** Removes and returns all futures that are about the task at this position, in their order. */
    Iterable<GroupFuture> pollAbout(long position) {
        var found = new ArrayDeque<GroupFuture>(1);
        for (GroupFuture future = last; future != null && future.before > position; future = last) {
            remove(future);
            found.addFirst(future);
        }
        return found;
    }

    /** True if somebody waits for a future that will have the error of the task at this position. */
    boolean awaitsErrorAt(long position) {
        for (GroupFuture future = firstAbout(position); future != null; future = future.next)
            if (future.kind == GroupFuture.Kind.ALL && future.hasCallbacks()) return true;
        return false;
    }

    /** Returns the first future that is about the task at this position; null if there is none. */
    @Nullable
    GroupFuture firstAbout(long position) {
        GroupFuture future = first;
        while (future != null && future.before <= position) future = future.next;
        return future;
    }
}
