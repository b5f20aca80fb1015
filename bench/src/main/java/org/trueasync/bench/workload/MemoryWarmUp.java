package org.trueasync.bench.workload;

/**
 * How often a peer suspends coroutines, and how many, before it suspends those that are weighed.
 *
 * <p>A suspended stack consists of the frames of the code that ran. Interpreted frames are several times the size of
 * compiled ones. With a tenth of this warm-up a virtual thread 20 calls deep weighed half as much again.
 */
public final class MemoryWarmUp {

    public static final int ROUNDS = 10;

    private static final int CROWD = 50_000;

    private MemoryWarmUp() {}

    public static int crowd(int count) {
        return Math.min(count, CROWD);
    }
}
