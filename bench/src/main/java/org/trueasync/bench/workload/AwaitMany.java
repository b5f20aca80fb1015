package org.trueasync.bench.workload;

/** Waits for many coroutines. Each call starts what the peer needs and returns how many were awaited. */
public interface AwaitMany {

    /**
     * Awaits {@code count} results together, {@code rounds} times. The results complete one after the other meanwhile.
     */
    long awaitAll(int count, int rounds);

    /**
     * {@code count} coroutines wait, each for a coroutine of its own and all with one token, which never fires;
     * {@code rounds} times with the same token.
     */
    long sharedToken(int count, int rounds);
}
