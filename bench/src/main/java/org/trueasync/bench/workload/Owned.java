package org.trueasync.bench.workload;

/** Tasks and coroutines with an owner. Each call starts what the peer needs and returns how many have run. */
public interface Owned {

    /**
     * {@code count} tasks that do not suspend, in one group; the values of all are collected by key, or in a list;
     * {@code rounds} times.
     */
    long group(int count, int rounds);

    /** {@code count} coroutines that do not suspend, in one scope, which is awaited; {@code rounds} times. */
    long scope(int count, int rounds);
}
