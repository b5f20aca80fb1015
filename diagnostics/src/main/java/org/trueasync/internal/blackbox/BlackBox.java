package org.trueasync.internal.blackbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.diagnostics.Ledger;
import org.trueasync.internal.diagnostics.Texts;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.internal.run.RunObserver;
import org.trueasync.internal.watchdog.Hold;
import org.trueasync.internal.watchdog.Watchdog;

/** Gives each loop its ring, where the process is to have a black box. */
public final class BlackBox implements RunObserver {
    /** The system property that asks for it: the size of each loop's ring in MiB, 1 to 1024, a power of two; or off. */
    public static final String PROPERTY = "org.trueasync.blackBox";

    /** The system property that says when a file is written without being asked for, see {@link Limits}. */
    public static final String RECORD_ON = "org.trueasync.recordOn";

    /** What it is in the command. */
    public static final String DEFAULT_MEGABYTES = "4";

    private static final int CELLS_PER_MEGABYTE = (1 << 20) / Long.BYTES;
    private static final int MAX_NAMED = 10_000;

    private static final ConcurrentHashMap<Loop, Recorded> RUNS = new ConcurrentHashMap<>();

    /** Of a run that has ended, for the next one: a program of many short runs makes no garbage of it. */
    private static final AtomicReference<long @Nullable []> SPARE = new AtomicReference<>();

    private static volatile boolean requestLimited;

    /** For the service loader. */
    public BlackBox() {}

    /**
     * The ring of a run.
     *
     * @param loop the run's
     * @param ring what it has done
     */
    record Recorded(LoopProbe loop, TurnRing ring) {}

    @Override
    public Runnable watch(Loop loop) {
        String given = System.getProperty(PROPERTY, "off");
        if (given.equals("off")) {
            if (!System.getProperty(RECORD_ON, "").isBlank())
                loop.settings()
                        .diagnostics()
                        .accept(RECORD_ON + " needs a black box: set " + PROPERTY + "=" + DEFAULT_MEGABYTES
                                + "; nothing is recorded");
            return () -> {};
        }
        int megabytes = megabytes(given);
        if (megabytes == 0) {
            loop.settings()
                    .diagnostics()
                    .accept(PROPERTY + " must be off, or a power of two from 1 to 1024 MiB, got '" + given
                            + "'; nothing is recorded");
            return () -> {};
        }
        Limits limits = Limits.of(loop.settings().diagnostics());
        long[] cells = cells(megabytes * CELLS_PER_MEGABYTE);
        var ring = new WatchedRing(cells, loop, limits);
        loop.record(ring);
        requestLimited |= limits.of("request") != Long.MAX_VALUE;
        if (!loop.reactor().isTimeVirtual()) JvmPauses.begin();
        RUNS.put(loop, new Recorded(new LoopProbe(loop), ring));
        return () -> {
            limits.ended(loop.name());
            RUNS.remove(loop);
            SPARE.set(cells);
        };
    }

    private static long[] cells(int count) {
        long[] spare = SPARE.getAndSet(null);
        return spare != null && spare.length == count ? spare : new long[count];
    }

    /** True if it is a size that {@link #PROPERTY} may have. */
    public static boolean isSize(String given) {
        return megabytes(given) > 0;
    }

    /** What is wrong with a value of {@link #RECORD_ON}; null if nothing is. */
    public static @Nullable String problemOfLimits(String given) {
        try {
            Limits.parse(given);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static int megabytes(String given) {
        try {
            int number = Integer.parseInt(given);
            return number >= 1 && number <= 1024 && Integer.bitCount(number) == 1 ? number : 0;
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    /** True if a limit for requests is set, or was in an earlier run. */
    public static boolean isRequestLimited() {
        return requestLimited;
    }

    static List<Recorded> runs() {
        return new ArrayList<>(RUNS.values());
    }

    /** The limits of a run; null without a black box. */
    static @Nullable Limits limitsOf(Loop loop) {
        Recorded run = RUNS.get(loop);
        return run != null && run.ring instanceof WatchedRing watched ? watched.limits() : null;
    }

    /** A ledger was closed. On its loop. */
    public static void took(Loop loop, String name, long nanos, Ledger ledger) {
        Limits limits = limitsOf(loop);
        if (limits == null || !Requests.isLong(nanos)) return;
        limits.requests().add(loop.reactor().nanoTime(), name, ledger);
        limits.happened("request", nanos, name + " took " + ledger);
    }

    /**
     * Who has run while others waited for their turn. On the loop.
     *
     * @param since when the wait began
     * @return for a person to read; empty if nobody has run for long, or there is no black box
     */
    static String whoRan(Loop loop, long since) {
        Recorded run = RUNS.get(loop);
        RingReader.LongTurn turn = run == null ? null : RingReader.longest(run.ring, since);
        if (turn == null) return "";
        List<Hold> holds = Watchdog.holdsOf(loop);
        Hold last = holds.isEmpty() ? null : holds.getLast();
        String name = nameOf(loop, turn.id());
        String place = last != null && last.holder().contains(name)
                ? ", at " + last.stack().getFirst()
                : "";
        return name + " ran for " + Texts.time(turn.nanos()) + place;
    }

    private static String nameOf(Loop loop, long id) {
        if (new LoopProbe(loop).coroutines() <= MAX_NAMED)
            for (Coroutine<?> coroutine : loop.liveCoroutines())
                if (coroutine.id() == id) return FailureText.label(coroutine);
        return "#" + id;
    }
}
