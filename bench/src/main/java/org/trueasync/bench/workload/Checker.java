package org.trueasync.bench.workload;

/** Makes sure that values come as they were sent. */
public final class Checker {
    private long next;

    /** Takes the next value. */
    public void take(int value) {
        if (value != (int) next) throw new IllegalStateException("got " + value + ", expected " + next);
        next++;
    }

    /** How many came. */
    public long count() {
        return next;
    }
}
