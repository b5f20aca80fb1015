package org.trueasync.internal.http.server;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/** Objects that are used again, the last one first: it is still in the processor's cache. Loop thread. */
final class Spares<T> {
    private final ArrayDeque<T> free = new ArrayDeque<>();
    private final int most;
    private final Supplier<T> maker;

    /**
     * Makes an empty store.
     *
     * @param most how many are kept
     * @param maker makes one when none is kept
     */
    Spares(int most, Supplier<T> maker) {
        this.most = most;
        this.maker = maker;
    }

    /** Returns one as it was given, or a new one. */
    T take() {
        T known = free.pollLast();
        return known == null ? maker.get() : known;
    }

    /** Takes one back that nobody uses any more; returns false if there are enough. */
    boolean give(T spare) {
        if (free.size() >= most) return false;
        free.addLast(spare);
        return true;
    }
}
