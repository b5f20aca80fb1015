package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/** The stall actions of a runtime, in the order of registration. Loop thread only. */
public final class StallActions {
    private @Nullable StallAction first;
    private @Nullable StallAction last;

    StallActions() {}

    /**
     * Registers an action, unless it is registered.
     *
     * @param one any
     */
    public void add(StallAction one) {
        if (one.registered) return;
        one.registered = true;
        one.previous = last;
        if (last == null) first = one;
        else last.next = one;
        last = one;
    }

    /**
     * Takes its registration back, if there is one.
     *
     * @param one any
     */
    public void remove(StallAction one) {
        if (!one.registered) return;
        one.registered = false;
        if (one.previous == null) first = one.next;
        else one.previous.next = one.next;
        if (one.next == null) last = one.previous;
        else one.next.previous = one.previous;
        one.previous = null;
        one.next = null;
    }

    boolean anyLeft() {
        return first != null;
    }

    /** Runs all that are registered now, and takes them off. In a service coroutine. */
    void runAll() {
        StallAction end = last;
        StallAction one;
        do {
            one = first;
            if (one == null) return;
            one.stalled();
            remove(one); // once is enough, also if it has not helped
        } while (one != end);
    }
}
