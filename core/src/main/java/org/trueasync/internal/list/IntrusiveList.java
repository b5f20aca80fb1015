package org.trueasync.internal.list;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list whose members are their own links: adding one takes no memory, and one leaves from the middle in constant time. Not thread-safe.
 *
 * @param <N> what stands in it
 */
public final class IntrusiveList<N extends IntrusiveList.Node> {
    /** A member of one list at the most. */
    public abstract static class Node {
        private @Nullable IntrusiveList<?> list;
        private @Nullable Node previous;
        private @Nullable Node next;

        /** In no list yet. */
        protected Node() {}

        /** True while it stands in that list. */
        public final boolean isIn(IntrusiveList<?> one) {
            return list == one;
        }
    }

    private @Nullable Node first;
    private @Nullable Node last;
    private int size;

    /** An empty one. */
    public IntrusiveList() {}

    /** True if nothing stands in it. */
    public boolean isEmpty() {
        return first == null;
    }

    /** How many stand in it. */
    public int size() {
        return size;
    }

    /** The first one, which stays; null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable N first() {
        return (N) first;
    }

    /** Those that stand in it now, in order; a list of the caller's own. */
    @SuppressWarnings("unchecked")
    public List<N> toList() {
        var all = new ArrayList<N>(size);
        for (Node node = first; node != null; node = node.next) all.add((N) node);
        return all;
    }

    /** Adds one that stands nowhere, at the end. */
    public void add(N node) {
        link(last, node, null);
    }

    /** Adds one that stands nowhere, at the front. */
    public void addFirst(N node) {
        link(null, node, first);
    }

    private void link(@Nullable Node before, Node added, @Nullable Node after) {
        added.list = this;
        added.previous = before;
        added.next = after;
        if (before == null) first = added;
        else before.next = added;
        if (after == null) last = added;
        else after.previous = added;
        size++;
    }

    /** Takes the first one out; null if there is none. */
    public @Nullable N poll() {
        N polled = first();
        if (polled != null) remove(polled);
        return polled;
    }

    /** Takes one out; false if it does not stand here. */
    public boolean remove(N node) {
        Node removed = node;
        if (removed.list != this) return false;
        Node before = removed.previous;
        Node after = removed.next;
        if (before == null) first = after;
        else before.next = after;
        if (after == null) last = before;
        else after.previous = before;
        removed.list = null;
        removed.previous = null;
        removed.next = null;
        size--;
        return true;
    }
}
