package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;

/** An intrusive doubly linked queue: removal from the middle takes constant time. */
final class LinkedQueue<N extends LinkedQueue.Node> {
    /** Stands in one line at the most. */
    abstract static class Node {
        private @Nullable LinkedQueue<?> line;
        private @Nullable Node previous;
        private @Nullable Node next;

        /** True while it stands in this line. */
        final boolean isIn(LinkedQueue<?> one) {
            return line == one;
        }
    }

    private @Nullable Node first;
    private @Nullable Node last;
    private int size;

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    void add(N node) {
        Node added = node;
        added.line = this;
        added.previous = last;
        if (last == null) first = added;
        else last.next = added;
        last = added;
        size++;
    }

    void addFirst(N node) {
        Node added = node;
        added.line = this;
        added.next = first;
        if (first == null) last = added;
        else first.previous = added;
        first = added;
        size++;
    }

    /** Takes the first one out of the line; null if there is none. */
    @SuppressWarnings("unchecked")
    @Nullable
    N poll() {
        N polled = (N) first;
        if (polled != null) remove(polled);
        return polled;
    }

    /** The last one, who stays; null if there is none. */
    @SuppressWarnings("unchecked")
    @Nullable
    N last() {
        return (N) last;
    }

    /** Takes one out; false if it does not stand in this line. */
    boolean remove(N node) {
        Node removed = node;
        if (removed.line != this) return false;
        Node before = removed.previous;
        Node after = removed.next;
        if (before == null) first = after;
        else before.next = after;
        if (after == null) last = before;
        else after.previous = before;
        removed.line = null;
        removed.previous = null;
        removed.next = null;
        size--;
        return true;
    }
}
