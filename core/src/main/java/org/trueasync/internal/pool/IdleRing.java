package org.trueasync.internal.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The idle resources, in a ring. The one that has been idle longest comes out first. The ring starts with 8 cells, and
 * doubles when it is full. Taking out needs constant time, and so does adding, apart from the doubling.
 */
final class IdleRing<R> {
    private static final int INITIAL_CAPACITY = 8;

    // A cell outside head..head+size may still refer to a slot. That keeps no resource alive: the table keeps all slots
    // of the pool anyway, and a slot that has left the table has no resource.
    private @Nullable Slot<R>[] cells = newCells(INITIAL_CAPACITY);
    private int head;
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <R> @Nullable Slot<R>[] newCells(int length) {
        return new Slot[length];
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Slot<R> slot) {
        if (size == cells.length) grow();
        cells[(head + size) & (cells.length - 1)] = slot;
        size++;
    }

    @Nullable
    Slot<R> poll() {
        if (size == 0) return null;
        Slot<R> slot = cells[head];
        head = (head + 1) & (cells.length - 1);
        size--;
        return slot;
    }

    private void grow() {
        int length = cells.length;
        @Nullable Slot<R>[] more = Arrays.copyOfRange(cells, head, head + length * 2);
        // The cells before the head now follow the cell that was the last one.
        System.arraycopy(cells, 0, more, length - head, head);
        cells = more;
        head = 0;
    }
}
