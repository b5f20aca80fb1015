package org.trueasync.internal.recorder;

/**
 * The last things that a loop did: a ring of numbers, which the loop writes as it goes and anyone may copy. A cell has
 * what happened (4 bits), a kind of wait (12 bits), and the number of a coroutine or a text (48 bits). That of a time
 * has what happened and the nanoseconds of the reactor's clock (60 bits).
 *
 * <p>No clock is read for it. The loop writes a time whenever it has read its clock for its own needs: at each poll,
 * before it sleeps, and so often in between that a turn which took long has a time behind it. What lies between two
 * times has happened between them. Written on the loop thread alone.
 */
public class TurnRing {
    /** A coroutine's turn begins: that of the loop itself, if its number is 0. The one before is over. */
    public static final int TURN = 1;

    /** The time. */
    public static final int TIME = 2;

    /** The time at which the loop began to sleep. */
    public static final int IDLE = 3;

    /** A new coroutine; whoever has its turn has spawned it. Only where places of spawns are remembered. */
    public static final int SPAWN = 4;

    /**
     * A coroutine has ended; its number is 0 for the one that has its turn. That one may have an entry before that says
     * how it has ended.
     */
    public static final int END = 5;

    /** A coroutine that has waited for a millisecond or longer was woken, by whoever has its turn. */
    public static final int WOKEN = 6;

    /** JDK code has parked a coroutine. */
    public static final int PARKED = 7;

    /** A text about what stands before it; see {@link #text(long)}. */
    public static final int TEXT = 8;

    /** Kinds of ends. */
    public static final int COMPLETED = 0;

    /** See {@link #END}. */
    public static final int FAILED = 1;

    /** See {@link #END}. */
    public static final int CANCELLED = 2;

    private static final int KIND_SHIFT = 48;
    private static final int WHAT_SHIFT = 60;
    private static final int TEXTS = 1 << 12;
    /** About a millisecond each. */
    private static final int TICKS_PER_TEXT = 4;

    private final long[] cells;
    private final String[] texts = new String[TEXTS];
    private long next;
    private boolean asleep;
    private long nextText;
    private int lastTextTick = Integer.MIN_VALUE / 2;

    /**
     * Makes an empty one.
     *
     * @param cells for the entries, a power of two; what is in there does not matter
     */
    public TurnRing(long[] cells) {
        this.cells = cells;
    }

    private void put(long cell) {
        long[] ring = cells;
        long at = next;
        ring[(int) at & (ring.length - 1)] = cell;
        next = at + 1;
    }

    /** Writes what has happened to a coroutine. */
    public final void put(int what, int kind, long id) {
        put((long) what << WHAT_SHIFT | (long) kind << KIND_SHIFT | id);
    }

    /** A turn begins. */
    public final void turn(long id) {
        put((long) TURN << WHAT_SHIFT | id);
    }

    /** A turn begins, and the one before was the last of its coroutine. */
    public final void turnAfterEnd(long id) {
        put((long) TURN << WHAT_SHIFT | 1L << KIND_SHIFT | id);
    }

    /** The loop has read its clock; {@code what} is a time or the beginning of a sleep. */
    public final void time(int what, long nanos) {
        asleep = what == IDLE;
        put((long) what << WHAT_SHIFT | (nanos & ((1L << WHAT_SHIFT) - 1)));
    }

    /** True if the loop has not read its clock since it began to sleep. */
    public final boolean isAsleep() {
        return asleep;
    }

    /** True if a text may be added: after {@link #TICKS_PER_TEXT} ticks of the loop's clock, as texts are dear. */
    public final boolean takesText(int tick) {
        if (tick - lastTextTick < TICKS_PER_TEXT && tick - lastTextTick >= 0) return false;
        lastTextTick = tick;
        return true;
    }

    /** Adds a text about what was written last. */
    public final void text(String text) {
        texts[(int) nextText & (TEXTS - 1)] = text;
        put(TEXT, 0, nextText++);
    }

    /**
     * Something has happened that is worth a look at what was before. Any thread; must not wait.
     *
     * @param limit what kind of thing, a word
     * @param nanos how long it took; 0 where that does not matter
     * @param text says what, for a person to read
     */
    public void happened(String limit, long nanos, String text) {}

    /**
     * A coroutine has waited for long. Loop thread, where nothing may wait.
     *
     * @param kind of what it waited for, by {@link WaitClass}
     * @param id its number
     * @param nanos for how long, to a few milliseconds, its last turn included
     */
    protected void waited(int kind, long id, long nanos) {}

    /** Writes that a coroutine was woken that has waited for long; see {@link #waited}. */
    public final void woken(int kind, long id, long nanos) {
        put(WOKEN, kind, id);
        waited(kind, id, nanos);
    }

    // ---- any thread

    /** How many entries were written so far. */
    public final long written() {
        return next;
    }

    /** One of the last entries. Loop thread. */
    public final long cell(long number) {
        return cells[(int) number & (cells.length - 1)];
    }

    /** How many entries it keeps. */
    public final int length() {
        return cells.length;
    }

    /** The entries as they are now; that of number n is in cell n modulo the length. */
    public final long[] copy() {
        return cells.clone();
    }

    /** A text, or "" if it is gone. */
    public final String text(long number) {
        String text = nextText - number > TEXTS ? null : texts[(int) number & (TEXTS - 1)];
        return text == null ? "" : text;
    }

    /** What an entry tells of. */
    public static int what(long cell) {
        return (int) (cell >>> WHAT_SHIFT);
    }

    /** The kind in an entry that is no time. */
    public static int kind(long cell) {
        return (int) (cell >>> KIND_SHIFT) & 0xFFF;
    }

    /** The number in an entry that is no time. */
    public static long number(long cell) {
        return cell & ((1L << KIND_SHIFT) - 1);
    }

    /** The time in an entry, in nanoseconds of the reactor's clock. */
    public static long nanos(long cell) {
        return cell << 4 >> 4;
    }
}
