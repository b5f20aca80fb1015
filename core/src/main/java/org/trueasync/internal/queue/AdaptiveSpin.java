package org.trueasync.internal.queue;

/**
 * Has a thread without work look for what other threads bring, for a moment, before it sleeps. Falling asleep and being woken costs two system calls and two switches of the
 * processor, several times what handing a small task over and back takes otherwise.
 *
 * <p>Spinning takes a processor from others, so it must pay. It is tried only where another thread has ended the sleep before. Each attempt in vain doubles how many sleeps pass until the
 * next one, each success halves that. So a thread that is idle never spins, and where there are fewer processors than threads at work it nearly never does.
 *
 * <p>One thread uses it.
 */
public abstract class AdaptiveSpin {
    /*
     * A few times what a sleep and its end cost where a processor is free, so that an answer is met whose own thread had to be woken first. (Karlin, Manasse, McGeoch and Owicki,
     * "Competitive Randomized Algorithms for Nonuniform Problems", 1990, say how long to spin at most; here the attempts in vain are bounded by being few.)
     */
    static final long NANOS = 20_000;

    static final int MOST_SKIPPED = 1_024;

    private final boolean canPay;

    private boolean wokenByOthers;

    /** How many sleeps pass without an attempt. */
    private int skips;

    /** How many pass after the next attempt that is in vain. */
    private int nextSkips = 1;

    /**
     * One for a thread that has not slept yet.
     *
     * @param processors with only one, nobody can bring anything while this thread spins
     */
    protected AdaptiveSpin(int processors) {
        canPay = processors > 1;
    }

    /** Whether there is something to do. Read again and again. */
    protected abstract boolean hasArrived();

    /** The time, in nanoseconds. */
    protected long now() {
        return System.nanoTime();
    }

    /**
     * There is nothing to do.
     *
     * @param deadline when there is, as {@link #now} tells it; {@link Long#MAX_VALUE} for never
     * @return true if something has arrived, so that the thread need not sleep
     */
    public final boolean await(long deadline) {
        if (!wokenByOthers || !canPay) return false;
        if (skips > 0) {
            skips--;
            return false;
        }
        long end = now() + NANOS;
        if (deadline != Long.MAX_VALUE && deadline - end < 0) return false;
        do {
            if (hasArrived()) {
                nextSkips = Math.max(1, nextSkips / 2);
                return true;
            }
            Thread.onSpinWait();
        } while (now() - end < 0);
        skips = nextSkips;
        nextSkips = Math.min(MOST_SKIPPED, nextSkips * 2);
        return false;
    }

    /**
     * The thread has slept.
     *
     * @param woken whether another thread has ended that
     */
    public final void slept(boolean woken) {
        wokenByOthers = woken;
    }
}
