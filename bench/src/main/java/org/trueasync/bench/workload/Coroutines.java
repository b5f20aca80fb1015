package org.trueasync.bench.workload;

/**
 * The workloads for coroutines, implemented once for each peer. Each call starts what the peer needs, does the whole
 * workload on one thread and returns how many operations were really done. The start is part of the call and takes
 * little time, compared with the operations.
 */
public interface Coroutines {

    /** {@code coroutines} of them take turns until each has suspended {@code rounds} times. */
    long switches(int coroutines, int rounds);

    /** Spawns {@code count} coroutines that do next to nothing, then awaits each of them. */
    long spawnAll(int count);

    /** Spawns a coroutine, awaits it, and spawns the next one, until there were {@code count}. */
    long spawnOneByOne(int count);

    /** Spawns {@code count} coroutines that sleep as {@link SleepSchedule} says, and awaits them all. */
    long sleepers(int count);

    /** As {@link #sleepers}, by {@code Thread.sleep}. */
    default long jdkSleepers(int count) {
        return sleepers(count);
    }

    /**
     * Suspends {@code count} coroutines, each {@code depth} non-tail calls deep, and lets {@code probe} look at the
     * heap before the first exists and after the last is suspended. Afterwards they are woken and end.
     */
    long suspended(int count, int depth, HeapProbe probe);
}
