package org.trueasync.internal.time;

import org.jspecify.annotations.Nullable;

/**
 * Due entries that have been taken out of the heap and have not fired yet. They are still armed, so that one may disarm
 * another.
 */
final class Batch {
    private static final int CAPACITY = 16;

    private final @Nullable TimerEntry[] entries = new TimerEntry[CAPACITY];
    private final long[] deadlines = new long[CAPACITY];
    private final long[] orders = new long[CAPACITY];
    private int size;

    /** The result of the reads; keeps them from being optimised away. */
    private int seen;

    boolean isFull() {
        return size == CAPACITY;
    }

    void add(TimerEntry entry, long deadline, long order) {
        entries[size] = entry;
        deadlines[size] = deadline;
        orders[size++] = order;
    }

    /**
     * Fires the entries, except those that are disarmed before their turn.
     *
     * @param heap the heap to which the remaining entries go back if one throws
     * @return false if there was none
     */
    boolean fire(long now, TimerHeap heap) {
        if (size == 0) return false;
        if (size > 1) readAllAhead();
        int next = 0;
        try {
            while (next < size) {
                int i = next++;
                TimerEntry entry = entries[i];
                entries[i] = null;
                if (entry != null && entry.order == orders[i]) entry.fire(now);
            }
        } finally {
            for (; next < size; next++) giveBack(next, heap);
            size = 0;
        }
        return true;
    }

    private void readAllAhead() {
        int sum = 0;
        for (int i = 0; i < size; i++) {
            TimerEntry entry = entries[i];
            if (entry != null) sum += entry.readAhead();
        }
        seen = sum;
    }

    private void giveBack(int i, TimerHeap heap) {
        TimerEntry entry = entries[i];
        entries[i] = null;
        if (entry != null && entry.order == orders[i]) heap.insert(entry, deadlines[i], orders[i]);
    }

    @Override
    public String toString() {
        return size + " due, " + seen;
    }
}
