package org.trueasync.internal.testkit;

import java.util.SplittableRandom;

/**
 * A seed's decisions about the world outside of one run: how long computing takes, how late the loop wakes, what
 * completes when. All of it could happen on a real machine. The probabilities are drawn first for each run: some runs
 * have many stalls in a row, some none, because different bugs need different orders.
 *
 * <p>All stalls together take at most {@link #MAX_STALL_NANOS}: a program whose timeouts have that much to spare must
 * not fail because of them.
 */
public final class Chance {
    /** Total time of all stalls of a run at most, in nanoseconds. */
    static final long MAX_STALL_NANOS = 4_000_000;

    /** A stall longer than the loop's longest time between two polls, in nanoseconds, so that a poll is due. */
    private static final int LONG_STALL = 1_100_000;

    /** A stall long enough that the loop checks the clock at each switch, in nanoseconds. */
    private static final int SHORT_STALL = 21_000;

    private final SplittableRandom random;
    private final int shortOneIn;
    private final int longOneIn;
    private final int lateOneIn;
    private long stallBudget = MAX_STALL_NANOS;

    /**
     * Creates the decisions of a run.
     *
     * @param seed equal seeds give equal decisions
     */
    public Chance(long seed) {
        random = new SplittableRandom(seed);
        shortOneIn = 1 << random.nextInt(5);
        longOneIn = 2 << random.nextInt(6);
        lateOneIn = 1 << random.nextInt(4);
    }

    /**
     * Time that passes between two reads of the clock, in nanoseconds; always > 0, so that no two things happen at the
     * same time.
     */
    long computingNanos() {
        long nanos = 1L + random.nextInt(500);
        if (oneIn(longOneIn)) return nanos + stall(LONG_STALL);
        return oneIn(shortOneIn) ? nanos + stall(SHORT_STALL) : nanos;
    }

    /** Time from the alarm until the loop wakes, in nanoseconds. */
    long latenessNanos() {
        return oneIn(lateOneIn) ? stall(1L + random.nextInt(LONG_STALL)) : 0;
    }

    private long stall(long nanos) {
        if (nanos > stallBudget) return 0;
        stallBudget -= nanos;
        return nanos;
    }

    /** True with probability 1/times. */
    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** True with a probability from 0 to 1. */
    boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** A number from 0 to {@code count - 1}. */
    int below(int count) {
        return random.nextInt(count);
    }

    /** A number from 0 to {@code nanos}; 0 if that is negative. */
    long atMost(long nanos) {
        return nanos <= 0 ? 0 : random.nextLong(nanos + 1);
    }
}
