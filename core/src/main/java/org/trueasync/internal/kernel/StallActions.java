package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/** The last resorts of a runtime, in the order in which they were asked for. Loop thread only. */
public final class StallActions {
    private @Nullable StallAction first;
    private @Nullable StallAction last;

    StallActions() {}

    /**
     * Asks for one, unless it is asked for.
     *
     * @param one any
     */
    public void add(StallAction one) {
        if (one.listed) return;
        one.listed = true;
        one.previous = last;
        if (last == null) first = one;
        else last.next = one;
        last = one;
    }

    /**
     * Does not ask for it any more.
     *
     * @param one any
     */
    public void remove(StallAction one) {
        if (!one.listed) return;
        one.listed = false;
        if (one.previous == null) first = one.next;
        else one.previous.next = one.next;
        if (one.next == null) last = one.previous;
        else one.next.previous = one.previous;
        one.previous = null;
        one.next = null;
    }

    boolean areLeft() {
        return first != null;
    }

    /** Does all that are asked for now. In a service coroutine. */
    void takeAll() {
        StallAction end = last;
        StallAction one;
        do {
            one = first;
            if (one == null) return;
            one.resort();
            remove(one); // once is enough, also if it has not helped
        } while (one != end);
    }
}
