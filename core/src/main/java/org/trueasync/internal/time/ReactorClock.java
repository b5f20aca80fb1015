package org.trueasync.internal.time;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.spi.Reactor;

/**
 * Says when the reactor is due although coroutines are ready: about every {@link #PERIOD_NANOS} nanoseconds.
 *
 * <p>Reading a clock costs a fifth of a switch, so it is not read at every switch. While less than
 * {@link #SHORT_STRIDE_NANOS} pass between two checks, the number of switches between checks doubles, up to
 * {@link #MAX_STRIDE}; a longer time sets it back to one. So if coroutines turn from quick to slow, up to that many
 * long slices can pass unnoticed, once.
 */
public final class ReactorClock {
    private static final long PERIOD_NANOS = 1_000_000;
    private static final long SHORT_STRIDE_NANOS = 20_000;
    private static final int MAX_STRIDE = 32;
    /** A tick is a little more than a millisecond. */
    private static final int TICK_BITS = 20;

    private final Reactor reactor;
    private long lastTurn;
    private long lastCheck;
    private int stride = 1;
    private int untilCheck = 1;
    private @Nullable TurnRing ring;

    public ReactorClock(Reactor reactor) {
        this.reactor = reactor;
        lastTurn = lastCheck = reactor.nanoTime();
    }

    /** Writes each time that it has read into a ring. */
    public void record(TurnRing turns) {
        ring = turns;
    }

    /** True if the reactor is due, until it has had its turn. Called once for each switch. */
    public boolean isDue() {
        return --untilCheck <= 0 && check();
    }

    private boolean check() {
        long now = reactor.nanoTime();
        stride = now - lastCheck < SHORT_STRIDE_NANOS ? Math.min(MAX_STRIDE, stride * 2) : 1;
        lastCheck = now;
        if (ring != null) ring.time(TurnRing.TIME, now);
        boolean due = now - lastTurn >= PERIOD_NANOS;
        untilCheck = due ? 1 : stride;
        return due;
    }

    /** Returns the time of the reactor's last turn, in nanoseconds of its clock. */
    public long lastTurn() {
        return lastTurn;
    }

    /**
     * The time of the reactor's last turn as a small number, see {@link #nanosSince}: reads no clock.
     */
    public int ticks() {
        return (int) (lastTurn >> TICK_BITS);
    }

    /**
     * The time from what {@link #ticks} has told to another time, to about a millisecond. Any thread.
     *
     * @param ticks less than twenty days before
     * @param now nanoseconds of the reactor's clock
     */
    public static long nanosSince(int ticks, long now) {
        return (long) Math.max(0, (int) (now >> TICK_BITS) - ticks) << TICK_BITS;
    }

    /** The loop has waited: from now on {@link #ticks} tells this time. */
    public void awake(long now) {
        lastTurn = now;
    }

    public void reactorRan(long now) {
        lastTurn = now;
        lastCheck = now;
        untilCheck = stride;
        if (ring != null) restart(ring, now);
    }

    /** So that the first turns after a poll have their own times; the loop's frame asks once before the first one. */
    private void restart(TurnRing turns, long now) {
        turns.time(TurnRing.TIME, now);
        stride = 1;
        untilCheck = 2;
    }
}
