package org.trueasync.bench.workload;

/** Checks that values come in the order 0, 1, 2... */
public final class Checker {
    private long next;

    /** Takes the next value. */
    public void take(int value) {
        if (value != (int) next) throw new IllegalStateException("got " + value + ", expected " + next);
        next++;
    }

    /** Returns how many have come. */
    public long count() {
        return next;
    }
}
