package org.trueasync.internal.kernel;

import org.trueasync.internal.list.IntrusiveList;

/** The stall actions of a runtime, in the order of registration. Loop thread only. */
public final class StallActions {
    private final IntrusiveList<StallAction> registered = new IntrusiveList<>();

    StallActions() {}

    /**
     * Registers an action, unless it is registered.
     *
     * @param one any
     */
    public void add(StallAction one) {
        if (!one.isIn(registered)) registered.add(one);
    }

    /**
     * Takes its registration back, if there is one.
     *
     * @param one any
     */
    public void remove(StallAction one) {
        registered.remove(one);
    }

    boolean anyLeft() {
        return !registered.isEmpty();
    }

    /** Runs all that are registered now, and takes them off. In a service coroutine. */
    void runAll() {
        StallAction end = registered.last();
        StallAction one;
        while ((one = registered.first()) != null) {
            one.stalled();
            registered.remove(one); // once is enough, also if it has not helped
            if (one == end) return;
        }
    }
}
