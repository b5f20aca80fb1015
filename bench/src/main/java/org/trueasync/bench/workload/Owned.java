package org.trueasync.bench.workload;

/** Tasks and coroutines with an owner. Each call starts what the peer needs and returns how many have run. */
public interface Owned {

    /**
     * Runs {@code count} tasks that do not suspend in one group, and collects their values, by key or in a list;
     * {@code rounds} times.
     */
    long group(int count, int rounds);

    /** Runs {@code count} coroutines that do not suspend in one scope, and awaits the scope; {@code rounds} times. */
    long scope(int count, int rounds);
}
