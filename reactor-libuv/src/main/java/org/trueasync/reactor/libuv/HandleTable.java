package org.trueasync.reactor.libuv;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The handles of one loop, each until libuv does not use it any more. A callback finds a handle by the number that is
 * stored in the native handle.
 */
final class HandleTable {
    /*
     * The number is table << 32 | slot. So the upcall stubs are made once for the process, and a callback allocates
     * nothing. When loops come and go, the list of tables is replaced, never changed. A table is used by its loop's
     * thread only.
     */
    private static final AtomicReference<@Nullable HandleTable[]> TABLES = new AtomicReference<>(new HandleTable[1]);

    private final int number;
    private @Nullable UvHandle[] handles = new UvHandle[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    HandleTable() {
        number = register(this);
    }

    private static int register(HandleTable table) {
        while (true) {
            @Nullable HandleTable[] before = TABLES.get();
            int index = 0;
            while (index < before.length && before[index] != null) index++;
            @Nullable HandleTable[] after = Arrays.copyOf(before, Math.max(before.length, index + 1));
            after[index] = table;
            if (TABLES.compareAndSet(before, after)) return index;
        }
    }

    /** Returns the handle with this number, which must exist. Called by callbacks. */
    static UvHandle get(long id) {
        HandleTable table = TABLES.get()[(int) (id >>> 32)];
        UvHandle handle = table == null ? null : table.handles[(int) id];
        if (handle == null)
            throw new IllegalStateException(
                    "Bug in TrueAsync: callback of an unknown handle; please report this trace");
        return handle;
    }

    /** Returns the handle in a slot, which is the lower half of a number; null if there is none. */
    @Nullable
    UvHandle at(int slot) {
        return handles[slot];
    }

    /** Adds a handle and returns its number. */
    long add(UvHandle handle) {
        int slot;
        if (freeCount > 0) {
            slot = free[--freeCount];
        } else {
            slot = used++;
            if (slot == handles.length) handles = Arrays.copyOf(handles, slot * 2);
        }
        handles[slot] = handle;
        return (long) number << 32 | slot;
    }

    void remove(long id) {
        int slot = (int) id;
        handles[slot] = null;
        if (freeCount == free.length) free = Arrays.copyOf(free, freeCount * 2);
        free[freeCount++] = slot;
    }

    int size() {
        return used - freeCount;
    }

    /** Returns the handles in an array of its own, so that the table may change while the array is used. */
    UvHandle[] toArray() {
        return Arrays.stream(handles).filter(handle -> handle != null).toArray(UvHandle[]::new);
    }

    /** Removes the table from the list, so that its number is free. */
    void dispose() {
        while (true) {
            @Nullable HandleTable[] before = TABLES.get();
            @Nullable HandleTable[] after = before.clone();
            after[number] = null;
            if (TABLES.compareAndSet(before, after)) return;
        }
    }
}
