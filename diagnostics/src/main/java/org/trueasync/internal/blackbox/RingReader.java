package org.trueasync.internal.blackbox;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.recorder.TurnRing;

/**
 * Tells what is in a ring, in the order of time. The ring has a time wherever the loop had read its clock. What lies
 * between two times is spread evenly: the loop reads its clock after each turn that took 20 µs or longer, but for up to
 * 32 of them once after a series of short ones.
 */
final class RingReader {
    /** Gets what has happened. Times are nanoseconds of the reactor's clock. */
    interface Listener {
        void spawned(long time, long id, long by, String label);

        /** Its turn begins. */
        void runs(long time, long id);

        /** Its turn ends, and it waits. */
        void leaves(long time, long id);

        /** JDK code has parked it, just after its turn. */
        void parked(long id, int kind);

        /**
         * It was woken.
         *
         * @param by whose turn it was; 0 for the loop itself, and so for a timer or a socket
         * @param text what it waited for, or ""
         */
        void woken(long time, long id, long by, int kind, String text);

        void ended(long time, long id, int how);

        /** The loop sleeps from one time to another. */
        void slept(long from, long to);
    }

    /** The loop goes on while its ring is copied. */
    private static final int MARGIN = 64;

    /** So many entries are looked at for the longest turn: some tens of microseconds. */
    private static final int MAX_SCANNED = 8_192;

    private final TurnRing ring;
    private final long[] cells;
    private final long from;
    private final long to;
    private final Listener listener;

    private long running;
    private boolean runningEnds;
    private int howItEnds;
    private long idleSince = Long.MIN_VALUE;

    private RingReader(TurnRing ring, long first, Listener listener) {
        this.ring = ring;
        this.listener = listener;
        long before = ring.written();
        cells = ring.copy();
        long oldest = ring.written() - cells.length + MARGIN;
        from = Math.max(first, oldest);
        to = before;
    }

    /**
     * Reads a ring. Any thread.
     *
     * @param ring which may be written meanwhile
     * @param first the number of the first entry to be read
     * @param listener gets what is in it, from the first time on
     */
    static void read(TurnRing ring, long first, Listener listener) {
        new RingReader(ring, first, listener).read();
    }

    private long cell(long number) {
        return cells[(int) number & (cells.length - 1)];
    }

    private static boolean isTime(long cell) {
        int what = TurnRing.what(cell);
        return what == TurnRing.TIME || what == TurnRing.IDLE;
    }

    private void read() {
        long at = from;
        while (at < to && !isTime(cell(at))) at++;
        while (at < to) {
            long end = at + 1;
            int turns = 0;
            for (; end < to && !isTime(cell(end)); end++) if (TurnRing.what(cell(end)) == TurnRing.TURN) turns++;
            long begin = TurnRing.nanos(cell(at));
            if (TurnRing.what(cell(at)) == TurnRing.IDLE) sleeps(begin);
            else wakes(begin);
            read(at + 1, end, begin, end < to ? Math.max(0, TurnRing.nanos(cell(end)) - begin) : 0, turns);
            at = end;
        }
    }

    private void read(long first, long end, long begin, long length, int turns) {
        long time = begin;
        int turn = 0;
        for (long number = first; number < end; number++) {
            long cell = cell(number);
            if (TurnRing.what(cell) == TurnRing.TURN) time = begin + length * turn++ / turns;
            tell(cell, time, textBehind(number, end));
        }
    }

    private String textBehind(long number, long end) {
        if (number + 1 == end || TurnRing.what(cell(number + 1)) != TurnRing.TEXT) return "";
        return ring.text(TurnRing.number(cell(number + 1)));
    }

    private void tell(long cell, long time, String text) {
        long id = TurnRing.number(cell);
        int kind = TurnRing.kind(cell);
        switch (TurnRing.what(cell)) {
            case TurnRing.TURN -> {
                if (kind != 0) runningEnds = true;
                turnEnds(time);
                running = id;
                if (id != 0) listener.runs(time, id);
            }
            case TurnRing.SPAWN -> listener.spawned(time, id, running, text);
            case TurnRing.WOKEN -> listener.woken(time, id, running, kind, text);
            case TurnRing.PARKED -> {
                if (id == running) turnEnds(time);
                listener.parked(id, kind);
            }
            case TurnRing.END -> {
                if (id == 0 || id == running) {
                    runningEnds = true;
                    howItEnds = Math.max(howItEnds, kind);
                } else {
                    listener.ended(time, id, kind);
                }
            }
            default -> {}
        }
    }

    private void turnEnds(long time) {
        if (running != 0 && runningEnds) listener.ended(time, running, howItEnds);
        else if (running != 0) listener.leaves(time, running);
        running = 0;
        runningEnds = false;
        howItEnds = 0;
    }

    private void sleeps(long time) {
        turnEnds(time);
        idleSince = time;
    }

    private void wakes(long time) {
        if (idleSince != Long.MIN_VALUE) listener.slept(idleSince, time);
        idleSince = Long.MIN_VALUE;
    }

    /** A turn that took long. */
    record LongTurn(long id, long nanos) {}

    /**
     * The longest of the last turns but the present one, which has just begun. On the loop thread.
     *
     * @param ring of this loop
     * @param since turns that ended before do not count
     * @return null if none took a millisecond
     */
    static @Nullable LongTurn longest(TurnRing ring, long since) {
        LongTurn longest = null;
        long limit = 1_000_000;
        long later = Long.MIN_VALUE;
        long first = 0;
        long oldest = Math.max(0, ring.written() - Math.min(ring.length(), MAX_SCANNED));
        for (long number = ring.written() - 2; number >= oldest; number--) {
            long cell = ring.cell(number);
            if (TurnRing.what(cell) == TurnRing.TURN) first = TurnRing.number(cell);
            if (!isTime(cell)) continue;
            long time = TurnRing.nanos(cell);
            if (first != 0 && later != Long.MIN_VALUE && later - time >= limit) {
                limit = later - time;
                longest = new LongTurn(first, limit);
            }
            if (time - since < 0) break;
            later = time;
            first = 0;
        }
        return longest;
    }
}
