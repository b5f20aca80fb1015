package org.trueasync.internal.queue;

/**
 * Lets a thread without work spin for a moment before it sleeps, in case another thread brings work. Falling asleep and
 * being woken costs two system calls and two switches of the processor: several times what handing a small task over
 * and back costs otherwise.
 *
 * <p>Spinning takes a processor from other threads, so it must pay. It is tried only if another thread has ended the
 * last sleep. Each attempt in vain doubles the number of sleeps until the next attempt; each success halves it. So an
 * idle thread never spins, and with fewer processors than working threads it hardly ever does.
 *
 * <p>Not thread-safe: only one thread uses it.
 */
public abstract class AdaptiveSpin {
    /*
     * A few times the cost of a sleep and its end on a free processor, so that it is long enough for an answer from a
     * thread that had to be woken first. (Karlin, Manasse, McGeoch and Owicki, "Competitive Randomized Algorithms for
     * Nonuniform Problems", 1990, bound the time of spinning; here the small number of vain attempts bounds the cost.)
     */
    static final long SPIN_NANOS = 20_000;

    static final int MAX_SKIPS = 1_024;

    private final boolean canPay;

    private boolean wokenByOthers;

    /** The number of sleeps that still pass without an attempt. */
    private int skips;

    /** The number of sleeps without an attempt after the next one in vain. */
    private int nextSkips = 1;

    /**
     * Creates one for a thread that has not slept yet.
     *
     * @param processors the number of processors; with only one, no other thread can bring work while this one spins
     */
    protected AdaptiveSpin(int processors) {
        canPay = processors > 1;
    }

    /** True if there is something to do. Called repeatedly. */
    protected abstract boolean hasArrived();

    /** Returns the time, in nanoseconds. */
    protected long now() {
        return System.nanoTime();
    }

    /**
     * Spins for work, if that is likely to pay.
     *
     * @param deadline the time of the next work, in the terms of {@link #now}; {@link Long#MAX_VALUE} for never
     * @return true if something has arrived, so that the thread need not sleep; false also without an attempt
     */
    public final boolean await(long deadline) {
        if (!wokenByOthers || !canPay) return false;
        if (skips > 0) {
            skips--;
            return false;
        }
        long end = now() + SPIN_NANOS;
        if (deadline != Long.MAX_VALUE && deadline - end < 0) return false;
        do {
            if (hasArrived()) {
                nextSkips = Math.max(1, nextSkips / 2);
                return true;
            }
            Thread.onSpinWait();
        } while (now() - end < 0);
        skips = nextSkips;
        nextSkips = Math.min(MAX_SKIPS, nextSkips * 2);
        return false;
    }

    /**
     * Called after the thread has slept.
     *
     * @param woken true if another thread has ended the sleep
     */
    public final void slept(boolean woken) {
        wokenByOthers = woken;
    }
}
