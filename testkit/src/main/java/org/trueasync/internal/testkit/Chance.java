package org.trueasync.internal.testkit;

import java.util.SplittableRandom;

/**
 * What a seed decides about the world outside of one run: how long computing takes, how late the loop wakes, what completes when. All of it could
 * happen on a real machine. Each run has a style of its own, drawn first: orders that need many stalls in a row are found by runs with many, orders
 * that need none by runs with none.
 *
 * <p>Stalls together stay below {@link #MOST_STALLED}: a program whose timeouts have that much to spare must not fail for them.
 */
public final class Chance {
    /** Nanoseconds that one run may lose. */
    static final long MOST_STALLED = 4_000_000;

    /** More than the loop leaves between two turns of its reactor, so that one is due. */
    private static final int LONG_STALL = 1_100_000;

    /** Enough for the loop to look at the clock at each switch. */
    private static final int SHORT_STALL = 21_000;

    private final SplittableRandom random;
    private final int shortOneIn;
    private final int longOneIn;
    private final int lateOneIn;
    private long mayStall = MOST_STALLED;

    /**
     * The decisions of a run.
     *
     * @param seed equal ones decide equally
     */
    public Chance(long seed) {
        random = new SplittableRandom(seed);
        shortOneIn = 1 << random.nextInt(5);
        longOneIn = 2 << random.nextInt(6);
        lateOneIn = 1 << random.nextInt(4);
    }

    /** How much time passes between two looks at the clock: always some, so that no two things happen at the same time. */
    long computing() {
        long nanos = 1L + random.nextInt(500);
        if (oneIn(longOneIn)) return nanos + stall(LONG_STALL);
        return oneIn(shortOneIn) ? nanos + stall(SHORT_STALL) : nanos;
    }

    /** How long after its alarm the loop wakes. */
    long lateness() {
        return oneIn(lateOneIn) ? stall(1L + random.nextInt(LONG_STALL)) : 0;
    }

    private long stall(long nanos) {
        if (nanos > mayStall) return 0;
        mayStall -= nanos;
        return nanos;
    }

    /** True once in so many times. */
    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** One of so many. */
    int among(int count) {
        return random.nextInt(count);
    }

    /** A time from 0 to this one. */
    long upTo(long nanos) {
        return nanos <= 0 ? 0 : random.nextLong(nanos + 1);
    }
}
