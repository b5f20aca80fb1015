package org.trueasync.internal.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Timers;

/**
 * All timers of one runtime behind the reactor's single alarm.
 *
 * <p>A 4-ary heap on (deadline, order of arming): equal deadlines fire in the order in which they were armed. Four children to a node keep the
 * sift-down of a big heap within half the cache lines of a binary one; the deadlines lie in an array of their own for the same reason.
 *
 * <p>Deadlines are nanoseconds of the reactor's clock and compared by difference, as {@link System#nanoTime} asks. Loop thread only. Invariant: a
 * entry is in the heap iff its index is >= 0.
 */
public final class TimerHeap implements Timers {
    /** Far enough to never come, near enough for differences not to overflow. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final LongSupplier clock;
    private final ActiveEvents activeEvents;
    private final Executor continuations;
    private @Nullable TimerEntry[] timers = new TimerEntry[64];
    private long[] deadlines = new long[64];
    private int size;
    private long sequence;

    /**
     * An empty heap.
     *
     * @param clock the reactor's clock, nanoseconds
     * @param activeEvents where started timers are counted
     * @param continuations runs the user's code that follows a timer
     */
    public TimerHeap(LongSupplier clock, ActiveEvents activeEvents, Executor continuations) {
        this.clock = clock;
        this.activeEvents = activeEvents;
        this.continuations = continuations;
    }

    // ---- making timers

    @Override
    public TimerEvent oneShot(Duration delay) {
        return new HeapTimer(this, activeEvents, nanos(delay), 0);
    }

    @Override
    public TimerEvent periodic(Duration period) {
        long nanos = nanos(period);
        if (nanos == 0) throw new IllegalArgumentException("period must be > 0, got " + period);
        return new HeapTimer(this, activeEvents, nanos, nanos);
    }

    /**
     * A timeout, not started.
     *
     * @param delay > 0
     */
    public TimeoutEvent timeout(Duration delay) {
        return new TimeoutEvent(this, activeEvents, continuations, delay, nanos(delay));
    }

    /**
     * A duration in nanoseconds; one that is too long becomes one that never ends.
     *
     * @param delay >= 0
     * @throws IllegalArgumentException if it is negative
     */
    public static long nanos(Duration delay) {
        if (delay.isNegative()) throw new IllegalArgumentException("delay must be >= 0 ms, got " + inMillis(delay));
        return delay.toSeconds() >= LONGEST / 1_000_000_000L ? LONGEST : Math.min(LONGEST, delay.toNanos());
    }

    /** A duration for a message: in milliseconds, down to the last nanosecond. */
    public static String inMillis(Duration time) {
        return BigDecimal.valueOf(time.toSeconds())
                .scaleByPowerOfTen(9)
                .add(BigDecimal.valueOf(time.toNanosPart()))
                .movePointLeft(6)
                .stripTrailingZeros()
                .toPlainString();
    }

    /**
     * Milliseconds in nanoseconds; too many become never.
     *
     * @param millis >= 0
     */
    public static long nanosOfMillis(long millis) {
        return millis >= LONGEST / 1_000_000L ? LONGEST : millis * 1_000_000L;
    }

    // ---- firing

    /** When the next timer is due, {@link Long#MAX_VALUE} for never. */
    public long nextDeadline() {
        return size == 0 ? Long.MAX_VALUE : deadlines[0];
    }

    /** True if no timer is armed. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The timers armed now. */
    public int size() {
        return size;
    }

    /** Fires all timers that are due, in order; those armed meanwhile wait for the next call, so that a timer of 0 ms can't hold the loop. */
    public void fireDue() {
        if (size == 0) return;
        long now = clock.getAsLong();
        long lastOfThisRound = sequence;
        while (size > 0 && deadlines[0] - now <= 0) {
            TimerEntry timer = timers[0];
            if (timer == null || timer.sequence > lastOfThisRound) return;
            timer.fire(now);
        }
    }

    long now() {
        return clock.getAsLong();
    }

    // ---- the heap

    /**
     * Arms an entry for some time from now.
     *
     * @param timer not armed
     * @param delayNanos >= 0
     */
    public void addIn(TimerEntry timer, long delayNanos) {
        add(timer, now() + delayNanos);
    }

    void add(TimerEntry timer, long deadline) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, size * 2);
            deadlines = Arrays.copyOf(deadlines, size * 2);
        }
        timer.sequence = ++sequence;
        siftUp(size++, timer, deadline);
    }

    /**
     * Takes an entry out.
     *
     * @param timer armed
     */
    public void remove(TimerEntry timer) {
        int hole = timer.index;
        timer.index = -1;
        TimerEntry moved = timers[--size];
        long deadline = deadlines[size];
        timers[size] = null;
        if (hole == size || moved == null) return;
        if (hole > 0 && before(deadline, moved, (hole - 1) >> 2)) siftUp(hole, moved, deadline);
        else siftDown(hole, moved, deadline);
    }

    private boolean before(long deadline, TimerEntry timer, int other) {
        long difference = deadline - deadlines[other];
        if (difference != 0) return difference < 0;
        TimerEntry sibling = timers[other];
        return sibling != null && timer.sequence < sibling.sequence;
    }

    private void siftUp(int start, TimerEntry timer, long deadline) {
        int i = start;
        while (i > 0) {
            int parent = (i - 1) >> 2;
            if (!before(deadline, timer, parent)) break;
            move(parent, i);
            i = parent;
        }
        place(i, timer, deadline);
    }

    private void siftDown(int start, TimerEntry timer, long deadline) {
        int i = start;
        for (int child = 4 * i + 1; child < size; child = 4 * i + 1) {
            int least = child;
            int end = Math.min(child + 4, size);
            for (int c = child + 1; c < end; c++) {
                TimerEntry candidate = timers[c];
                if (candidate != null && before(deadlines[c], candidate, least)) least = c;
            }
            if (before(deadline, timer, least)) break;
            move(least, i);
            i = least;
        }
        place(i, timer, deadline);
    }

    private void move(int from, int to) {
        TimerEntry moved = timers[from];
        if (moved != null) place(to, moved, deadlines[from]);
    }

    private void place(int i, TimerEntry timer, long deadline) {
        timers[i] = timer;
        deadlines[i] = deadline;
        timer.index = i;
    }
}
