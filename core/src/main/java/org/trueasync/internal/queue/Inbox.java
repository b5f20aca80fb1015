package org.trueasync.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries that other threads leave for the loop thread: a Treiber stack that the loop takes as a whole and reverses, so
 * that order is kept. Lock-free on both sides; an empty one costs the loop one read. (R. K. Treiber, "Systems
 * Programming: Coping with Parallelism", 1986.)
 */
public class Inbox {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(Inbox.class, "top", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final class Node {
        final Object entry;
        /** What is done with the entry if there is no loop any more; null if the entry itself knows. */
        final @Nullable Runnable orphan;

        @Nullable
        Node next;

        /** How many entries were in the stack with this one on top. */
        int height;

        Node(Object entry, @Nullable Runnable orphan) {
            this.entry = entry;
            this.orphan = orphan;
        }
    }

    private volatile @Nullable Node top;

    /** The entries that have been taken from the stack and not yet handed out, oldest first. Loop thread only. */
    private @Nullable Node taken;

    /** The number of entries in {@link #taken}. Loop thread only. */
    private int gatheredCount;

    /**
     * Adds an entry. Any thread.
     *
     * @return how many there are that the loop has not gathered
     */
    public int add(Object entry, @Nullable Runnable orphan) {
        var node = new Node(entry, orphan);
        Node seen;
        do {
            seen = top;
            node.next = seen;
            node.height = seen == null ? 1 : seen.height + 1;
        } while (!TOP.compareAndSet(this, seen, node));
        return node.height;
    }

    /** Takes the entries off the stack, if none are gathered; false if there are none. Loop thread. */
    public boolean gather() {
        if (taken == null && top != null) {
            var newest = (Node) TOP.getAndSet(this, (Node) null);
            gatheredCount = newest.height;
            taken = turnedAround(newest);
        }
        return taken != null;
    }

    /** Returns the number of entries that have not been gathered. Any thread. */
    public int ungathered() {
        Node newest = top;
        return newest == null ? 0 : newest.height;
    }

    /** Returns the number of entries that have been gathered and not yet handed out. Loop thread. */
    public int gathered() {
        return gatheredCount;
    }

    /** Takes the oldest gathered entry, or null. Loop thread. */
    @Nullable
    public Object pollGathered() {
        Node oldest = taken;
        if (oldest == null) return null;
        taken = oldest.next;
        gatheredCount--;
        return oldest.entry;
    }

    private static @Nullable Node turnedAround(@Nullable Node newest) {
        Node turned = null;
        for (Node node = newest; node != null; ) {
            Node older = node.next;
            node.next = turned;
            turned = node;
            node = older;
        }
        return turned;
    }

    /** Passes on all gathered entries. Loop thread. */
    public void takeGathered(BiConsumer<Object, @Nullable Runnable> taker) {
        Node first = taken;
        taken = null;
        gatheredCount = 0;
        passOn(first, taker);
    }

    /**
     * Passes on all entries of the stack, oldest first. For the time after the loop, when several threads may do so at
     * once. Any thread.
     */
    public void takeAll(BiConsumer<Object, @Nullable Runnable> taker) {
        passOn(turnedAround((Node) TOP.getAndSet(this, (Node) null)), taker);
    }

    private static void passOn(@Nullable Node oldest, BiConsumer<Object, @Nullable Runnable> taker) {
        for (Node node = oldest; node != null; node = node.next) taker.accept(node.entry, node.orphan);
    }

    /** True if there are no entries. Loop thread. */
    public boolean isEmpty() {
        return taken == null && top == null;
    }
}
