package org.trueasync.bench.workload;

/** Waiting for many. Each call starts whatever the peer needs and returns how many were awaited. */
public interface AwaitMany {

    /** {@code count} things that have not ended are awaited together, and end one after the other; {@code rounds} times. */
    long awaitAll(int count, int rounds);

    /**
     * {@code count} coroutines wait, each for a coroutine of its own and all with one token, which never fires; {@code rounds} times with the same token.
     */
    long sharedToken(int count, int rounds);
}
