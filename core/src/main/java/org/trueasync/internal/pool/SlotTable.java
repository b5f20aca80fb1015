package org.trueasync.internal.pool;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All resources of a pool by identity. Changes only when a resource is made, destroyed or lost. Open addressing, at
 * most half full.
 */
final class SlotTable<R> {
    private static final int INITIAL_CAPACITY = 16;

    private @Nullable Slot<R>[] cells = newCells(INITIAL_CAPACITY);
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <R> @Nullable Slot<R>[] newCells(int length) {
        return new Slot[length];
    }

    int size() {
        return size;
    }

    private static int spread(int hash) {
        return hash ^ (hash >>> 16);
    }

    /** Returns the slot of a resource; null if it does not belong to this pool. */
    @Nullable
    Slot<R> find(R resource) {
        int hash = System.identityHashCode(resource);
        int mask = cells.length - 1;
        for (int i = spread(hash) & mask; ; i = (i + 1) & mask) {
            Slot<R> slot = cells[i];
            if (slot == null) return null;
            if (slot.hash == hash && slot.refersTo(resource)) return slot;
        }
    }

    boolean all(Predicate<Slot<R>> condition) {
        for (Slot<R> slot : cells) if (slot != null && !condition.test(slot)) return false;
        return true;
    }

    void add(Slot<R> slot) {
        if (size * 2 >= cells.length) grow();
        insert(slot);
        size++;
    }

    private void insert(Slot<R> slot) {
        int mask = cells.length - 1;
        int i = spread(slot.hash) & mask;
        while (cells[i] != null) i = (i + 1) & mask;
        cells[i] = slot;
    }

    private void grow() {
        @Nullable Slot<R>[] old = cells;
        cells = newCells(old.length * 2);
        for (Slot<R> slot : old) if (slot != null) insert(slot);
    }

    /**
     * Removes a slot; false if it is not in the table. The slots after it are inserted again, so that no search ends
     * too early.
     */
    boolean remove(Slot<R> slot) {
        int mask = cells.length - 1;
        int hole = spread(slot.hash) & mask;
        while (cells[hole] != slot) {
            if (cells[hole] == null) return false;
            hole = (hole + 1) & mask;
        }
        cells[hole] = null;
        size--;
        for (int i = (hole + 1) & mask; ; i = (i + 1) & mask) {
            Slot<R> next = cells[i];
            if (next == null) return true;
            cells[i] = null;
            insert(next);
        }
    }
}
