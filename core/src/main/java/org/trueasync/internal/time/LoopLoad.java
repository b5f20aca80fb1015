package org.trueasync.internal.time;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.recorder.TurnRing;

/**
 * How busy a loop is. It is measured where the loop polls, so that a switch costs nothing more.
 *
 * <p>A <b>round</b> begins after a poll. It ends with the first later poll at which all that was ready at its beginning
 * has had its turn. What becomes ready meanwhile waits for about a round. While the loop waits for work there is no
 * round.
 *
 * <p>Times are nanoseconds of the reactor's clock. The loop thread writes; other threads read in a race, and may get
 * what is out of date.
 */
public final class LoopLoad {
    /** How far {@link #utilisation} and {@link #lag} look back. */
    public static final long SPAN = 10_000_000_000L;

    /** Shorter rounds do not count for {@link #held}. */
    static final long SHORT = 10_000_000;

    private static final int STEPS = 10;
    private static final long STEP = SPAN / STEPS;
    private static final int SAMPLES = STEPS + 2;

    /** The last samples, at least a step apart. That of number n is in cell n modulo the length. */
    private final long[] times = new long[SAMPLES];

    private final double[] waitedThen = new double[SAMPLES];
    private final double[] lagThen = new double[SAMPLES];
    private volatile int samples;

    private final long start;
    private boolean waiting;
    private @Nullable TurnRing ring;

    /** When the present wait or round began. */
    private long since;

    /** The position of the run queue from which on the present round may end. */
    private int target;

    // Sums of the waits and rounds that have ended.
    private double waited;
    private double squaresOfRounds;
    private long held;
    private long holds;

    /**
     * A loop that begins with a round.
     *
     * @param now the time
     */
    public LoopLoad(long now) {
        start = since = now;
        sample(now);
    }

    // ---- the loop thread

    /** Writes each beginning and end of a wait into a ring. */
    public void record(TurnRing turns) {
        ring = turns;
    }

    /**
     * The loop begins to wait for work, as nothing is ready. Does nothing if it waits already.
     *
     * @param now the time
     */
    public void waits(long now) {
        if (waiting) return;
        endRound(now);
        waiting = true;
        if (ring != null) ring.time(TurnRing.IDLE, now);
        sampleIfDue(now);
    }

    /**
     * The loop has waited, and goes on. Does nothing if it does not wait.
     *
     * @param now the time
     */
    public void resumes(long now) {
        if (!waiting) return;
        waited += now - since;
        since = now;
        waiting = false;
        if (ring != null) ring.time(TurnRing.TIME, now);
        sampleIfDue(now);
    }

    /**
     * The loop has polled.
     *
     * @param now the time
     * @param position of the run queue
     * @param queued the run queue's length
     */
    public void polled(long now, int position, int queued) {
        resumes(now);
        if (queued == 0 || position - target >= 0) {
            endRound(now);
            target = position + queued;
        }
        sampleIfDue(now);
    }

    private void endRound(long now) {
        long round = now - since;
        squaresOfRounds += (double) round * round;
        if (round >= SHORT) {
            held += round;
            holds++;
        }
        since = now;
    }

    private void sampleIfDue(long now) {
        if (now - times[(samples - 1) % SAMPLES] >= STEP) sample(now);
    }

    private void sample(long now) {
        int number = samples;
        int cell = number % SAMPLES;
        times[cell] = now;
        waitedThen[cell] = waited(now);
        lagThen[cell] = squares(now);
        samples = number + 1;
    }

    // ---- any thread

    /**
     * The part of the last {@link #SPAN} in which the loop did not wait for work, from 0 to 1.
     *
     * @param now the time
     */
    public double utilisation(long now) {
        if (now - start <= 0) return 0;
        return Math.clamp(1 - perNano(waitedThen, waited(now), now), 0, 1);
    }

    /**
     * How long a round took, averaged over the time of the last {@link #SPAN}: a moment counts with the length of the
     * round that it is in, and with 0 while the loop waits for work.
     *
     * @param now the time
     */
    public double lag(long now) {
        return Math.max(0, perNano(lagThen, squares(now), now));
    }

    /**
     * How long the loop has spent so far in rounds that were not {@link #SHORT}.
     *
     * @param now the time
     */
    public long held(long now) {
        long round = waiting ? 0 : now - since;
        return held + (round >= SHORT ? round : 0);
    }

    /**
     * How many rounds so far were not {@link #SHORT}.
     *
     * @param now the time
     */
    public long holds(long now) {
        return holds + (!waiting && now - since >= SHORT ? 1 : 0);
    }

    /**
     * True if the loop has run for a whole {@link #SPAN}.
     *
     * @param now the time
     */
    public boolean coversSpan(long now) {
        return now - start >= SPAN;
    }

    private double waited(long now) {
        return waited + (waiting ? now - since : 0);
    }

    private double squares(long now) {
        double round = waiting ? 0 : now - since;
        return squaresOfRounds + round * round;
    }

    /**
     * The growth of a sum, divided by the time that it took: the last {@link #SPAN}, or less at the beginning of a run.
     *
     * @param then the sum at the times of the samples; between two of them it has grown evenly
     * @param sum now
     */
    private double perNano(double[] then, double sum, long now) {
        long begin = now - SPAN;
        long timeAfter = now;
        double sumAfter = sum;
        int last = samples - 1;
        for (int number = last; number >= 0 && number > last - SAMPLES; number--) {
            int cell = number % SAMPLES;
            if (times[cell] - begin <= 0 && timeAfter - times[cell] > 0) {
                double part = (double) (begin - times[cell]) / (timeAfter - times[cell]);
                return (sum - then[cell] - part * (sumAfter - then[cell])) / SPAN;
            }
            timeAfter = times[cell];
            sumAfter = then[cell];
        }
        return now - timeAfter <= 0 ? 0 : (sum - sumAfter) / (now - timeAfter);
    }
}
