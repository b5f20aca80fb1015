package org.trueasync.internal.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.event.Continuations;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Timers;

/**
 * All timers of one runtime, behind the reactor's single alarm.
 *
 * <p>A 4-ary heap on (deadline, order of arming): equal deadlines fire in the order in which they were armed. Four
 * children to a node keep the sift-down of a big heap within half the cache lines of a binary one. The numbers that the
 * heap compares are in separate arrays, so it never reads the entries, each of which is a cache miss in a big heap.
 *
 * <p>So an entry does not know its cell. A disarmed entry leaves its cell behind as stale; the cell is dropped when it
 * comes to the top. When the stale cells outnumber the live ones by more than {@link #SMALL}, or when there are more of
 * them than live ones and the arrays are full, all stale ones are dropped at once. So disarming takes constant time,
 * amortised.
 *
 * <p>Due entries fire in batches: they are taken out of the heap, all of them are read, and then they fire one by one.
 * The reads do not depend on each other, so the processor fetches a batch from memory in about the time of one entry.
 *
 * <p>Deadlines are nanoseconds of the reactor's clock and compared by difference, as {@link System#nanoTime} requires.
 * Loop thread only. Invariants: a cell is live iff its order equals its entry's order; the top cell is live; outside of
 * a batch every armed entry has a live cell.
 */
public final class TimerHeap implements Timers {
    /** A delay, in nanoseconds, that never ends, and is short enough for differences not to overflow. */
    public static final long LONGEST = Long.MAX_VALUE / 4;

    /** The capacity of an idle heap. Up to that many more stale cells than live ones, a disarming does not sweep. */
    private static final int SMALL = 64;

    private final LongSupplier clock;
    private final ActiveEvents activeEvents;
    private final Continuations continuations;
    private @Nullable TimerEntry[] entries = new TimerEntry[SMALL];
    private long[] deadlines = new long[SMALL];
    private long[] orders = new long[SMALL];

    private final Batch batch = new Batch();

    /** The number of cells, with the stale ones. */
    private int size;

    private int live;
    private long lastOrder;

    /**
     * Creates an empty heap.
     *
     * @param clock the reactor's clock, nanoseconds
     * @param activeEvents the count of active events, in which started timers are counted
     * @param continuations runs the user's code that follows a timer
     */
    public TimerHeap(LongSupplier clock, ActiveEvents activeEvents, Continuations continuations) {
        this.clock = clock;
        this.activeEvents = activeEvents;
        this.continuations = continuations;
    }

    // ---- making timers

    @Override
    public HeapTimer oneShot(Duration delay) {
        return new HeapTimer(this, activeEvents, nanos(delay), 0);
    }

    @Override
    public TimerEvent periodic(Duration period) {
        long nanos = periodNanos(period);
        return new HeapTimer(this, activeEvents, nanos, nanos);
    }

    static long periodNanos(Duration period) {
        return TimeLimits.positive(period, "period").toNanos();
    }

    /**
     * Returns a timeout that is not started.
     *
     * @param delay >= 0
     * @throws IllegalArgumentException if it is negative
     */
    public TimeoutEvent timeout(Duration delay) {
        return new TimeoutEvent(this, activeEvents, continuations, delay, nanos(delay));
    }

    /** Returns a timeout that has expired already. A wait with it as its token does not begin. */
    public TimeoutEvent expired() {
        TimeoutEvent timeout = timeout(Duration.ZERO);
        timeout.expire();
        return timeout;
    }

    /**
     * Returns a duration in nanoseconds; one that is too long becomes one that never ends.
     *
     * @param delay >= 0
     * @throws IllegalArgumentException if it is negative
     */
    public static long nanos(Duration delay) {
        return TimeLimits.notNegative(delay, "delay").toNanos();
    }

    /** Returns a duration as text for a message: in milliseconds, down to the last nanosecond. */
    public static String inMillis(Duration time) {
        return BigDecimal.valueOf(time.toSeconds())
                .scaleByPowerOfTen(9)
                .add(BigDecimal.valueOf(time.toNanosPart()))
                .movePointLeft(6)
                .stripTrailingZeros()
                .toPlainString();
    }

    /**
     * Returns milliseconds as nanoseconds, at most {@link #LONGEST}.
     *
     * @param millis >= 0
     */
    public static long nanosOfMillis(long millis) {
        return millis >= LONGEST / 1_000_000L ? LONGEST : millis * 1_000_000L;
    }

    // ---- firing

    /**
     * Returns the time at which the next timer is due, in nanoseconds of the reactor's clock; {@link Long#MAX_VALUE}
     * for never.
     */
    public long nextDeadline() {
        return size == 0 ? Long.MAX_VALUE : deadlines[0];
    }

    public boolean isEmpty() {
        return live == 0;
    }

    public int size() {
        return live;
    }

    /** Returns the number of cells in use, with the stale ones. */
    int cells() {
        return size;
    }

    int capacity() {
        return entries.length;
    }

    /**
     * Fires all timers that are due, in order; timers that are armed meanwhile wait for the next call, so that a timer
     * of 0 ms can't block the loop.
     */
    public void fireDue() {
        if (size == 0) return;
        long now = clock.getAsLong();
        long lastOfThisRound = lastOrder;
        do {
            while (!batch.isFull() && size > 0 && deadlines[0] - now <= 0 && orders[0] <= lastOfThisRound) {
                batch.add(Objects.requireNonNull(entries[0]), deadlines[0], orders[0]);
                dropTop();
            }
        } while (batch.fire(now, this));
    }

    long now() {
        return clock.getAsLong();
    }

    // ---- the heap

    /**
     * Arms an entry with a delay from now.
     *
     * @param entry not armed
     * @param delayNanos >= 0
     */
    public void addIn(TimerEntry entry, long delayNanos) {
        add(entry, now() + delayNanos);
    }

    /**
     * Arms an entry.
     *
     * @param entry not armed
     * @param deadline in nanoseconds of the reactor's clock, at most {@link #LONGEST} from now
     */
    public void add(TimerEntry entry, long deadline) {
        if (size == entries.length) makeRoom(); // before anything is changed: memory may be exhausted
        entry.order = ++lastOrder;
        live++;
        insert(entry, deadline, lastOrder);
    }

    /** Gives an armed entry a cell. */
    void insert(TimerEntry entry, long deadline, long order) {
        if (size == entries.length) makeRoom();
        siftUp(size++, entry, deadline, order);
    }

    /**
     * Disarms an entry.
     *
     * @param entry armed
     */
    public void remove(TimerEntry entry) {
        boolean isTop = size > 0 && orders[0] == entry.order;
        entry.order = TimerEntry.DISARMED;
        live--;
        if (live == 0) clear();
        else if (isTop) dropTop();
        else if (size - live > live + SMALL) sweep();
    }

    /** Disarms any entry and returns it; null if none is armed. At the end of the run. */
    public @Nullable TimerEntry takeAny() {
        if (size == 0) return null;
        TimerEntry entry = Objects.requireNonNull(entries[0]);
        remove(entry);
        return entry;
    }

    /** Drops the top cell, and then stale cells at the top. */
    private void dropTop() {
        do {
            size--;
            TimerEntry last = Objects.requireNonNull(entries[size]);
            entries[size] = null;
            if (size == 0) return;
            siftDown(0, last, deadlines[size], orders[size]);
        } while (isStale(0));
    }

    private boolean isStale(int cell) {
        return Objects.requireNonNull(entries[cell]).order != orders[cell];
    }

    private void sweep() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (isStale(i)) continue;
            entries[kept] = entries[i];
            deadlines[kept] = deadlines[i];
            orders[kept] = orders[i];
            kept++;
        }
        Arrays.fill(entries, kept, size, null);
        size = kept;
        for (int i = (kept - 2) >> 2; i >= 0; i--)
            siftDown(i, Objects.requireNonNull(entries[i]), deadlines[i], orders[i]);
    }

    /** Empties the heap when nothing is armed any more, and drops big arrays that a burst has left. */
    private void clear() {
        Arrays.fill(entries, 0, size, null);
        size = 0;
        if (entries.length <= 64 * SMALL) return;
        try {
            resize(SMALL);
        } catch (OutOfMemoryError e) {
            // the big arrays are kept
        }
    }

    private void makeRoom() {
        if (size - live > live) sweep();
        else resize(size * 2);
    }

    private void resize(int capacity) {
        @Nullable TimerEntry[] newEntries = Arrays.copyOf(entries, capacity);
        long[] newDeadlines = Arrays.copyOf(deadlines, capacity);
        long[] newOrders = Arrays.copyOf(orders, capacity);
        entries = newEntries;
        deadlines = newDeadlines;
        orders = newOrders;
    }

    private boolean before(long deadline, long order, int other) {
        long difference = deadline - deadlines[other];
        return difference != 0 ? difference < 0 : order < orders[other];
    }

    private void siftUp(int start, TimerEntry entry, long deadline, long order) {
        int i = start;
        while (i > 0) {
            int parent = (i - 1) >> 2;
            if (!before(deadline, order, parent)) break;
            move(parent, i);
            i = parent;
        }
        place(i, entry, deadline, order);
    }

    private void siftDown(int start, TimerEntry entry, long deadline, long order) {
        int i = start;
        for (int child = 4 * i + 1; child < size; child = 4 * i + 1) {
            int least = child;
            int end = Math.min(child + 4, size);
            for (int c = child + 1; c < end; c++) if (before(deadlines[c], orders[c], least)) least = c;
            if (before(deadline, order, least)) break;
            move(least, i);
            i = least;
        }
        place(i, entry, deadline, order);
    }

    private void move(int from, int to) {
        entries[to] = entries[from];
        deadlines[to] = deadlines[from];
        orders[to] = orders[from];
    }

    private void place(int i, TimerEntry entry, long deadline, long order) {
        entries[i] = entry;
        deadlines[i] = deadline;
        orders[i] = order;
    }
}
