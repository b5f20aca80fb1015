package org.trueasync.internal.time;

import org.trueasync.spi.Reactor;

/**
 * Says when the reactor is due although coroutines are ready: about every {@link #PERIOD} nanoseconds.
 *
 * <p>Reading a clock costs a fifth of a switch, so it is not read at every switch: while the checks show that the slices between switches are
 * short, the distance between checks doubles up to {@link #MAX_STRIDE}; a long slice brings it back to one. Up to that many
 * long slices can therefore pass unnoticed once, when coroutines turn from quick to slow in the middle of a stride; the next is noticed.
 */
public final class ReactorClock {
    private static final long PERIOD = 1_000_000;
    private static final long SHORT_STRIDE = 20_000;
    private static final int MAX_STRIDE = 32;

    private final Reactor reactor;
    private long lastTurn;
    private long lastCheck;
    private int stride = 1;
    private int untilCheck = 1;

    public ReactorClock(Reactor reactor) {
        this.reactor = reactor;
        lastTurn = lastCheck = reactor.nanoTime();
    }

    /** Called once a switch; once it has said yes it does so until the reactor has had its turn. */
    public boolean isDue() {
        return --untilCheck <= 0 && check();
    }

    private boolean check() {
        long now = reactor.nanoTime();
        stride = now - lastCheck < SHORT_STRIDE ? Math.min(MAX_STRIDE, stride * 2) : 1;
        lastCheck = now;
        boolean due = now - lastTurn >= PERIOD;
        untilCheck = due ? 1 : stride;
        return due;
    }

    /** When the reactor last had its turn. */
    public long lastTurn() {
        return lastTurn;
    }

    /** The reactor has had its turn. */
    public void turned(long now) {
        lastTurn = now;
        lastCheck = now;
        untilCheck = stride;
    }
}
