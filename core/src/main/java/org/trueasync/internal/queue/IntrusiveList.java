package org.trueasync.internal.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list whose members are their own links: to add a member takes no memory, and to remove one from the
 * middle takes constant time. Not thread-safe.
 *
 * @param <N> type of its members
 */
public final class IntrusiveList<N extends IntrusiveList.Node> {
    /** A member of at most one list. */
    public abstract static class Node {
        private @Nullable IntrusiveList<?> list;
        private @Nullable Node previous;
        private @Nullable Node next;

        /** Creates a node that is in no list. */
        protected Node() {}

        /** True while this node is in that list. */
        public final boolean isIn(IntrusiveList<?> candidate) {
            return list == candidate;
        }
    }

    private @Nullable Node first;
    private @Nullable Node last;
    private int size;

    /** Makes an empty list. */
    public IntrusiveList() {}

    /** True if it has no members. */
    public boolean isEmpty() {
        return first == null;
    }

    /** The number of its members. */
    public int size() {
        return size;
    }

    /** Returns the first member, which stays; null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable N first() {
        return (N) first;
    }

    /**
     * Returns the member after another one.
     *
     * @param node a member, or null for the first one
     * @return null if there is no further one
     */
    @SuppressWarnings("unchecked")
    public @Nullable N after(@Nullable N node) {
        if (node == null) return first();
        Node member = node;
        return (N) member.next;
    }

    /** Returns a new list of its present members, in order. */
    @SuppressWarnings("unchecked")
    public List<N> toList() {
        var all = new ArrayList<N>(size);
        for (Node node = first; node != null; node = node.next) all.add((N) node);
        return all;
    }

    /** Adds a node that is in no list, at the end. */
    public void add(N node) {
        link(last, node, null);
    }

    /** Adds a node that is in no list, at the front. */
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

    /** Removes and returns the first member; null if there is none. */
    public @Nullable N poll() {
        N polled = first();
        if (polled != null) remove(polled);
        return polled;
    }

    /** Removes a node; false if it is not in this list. */
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
