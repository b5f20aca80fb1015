package org.trueasync.internal.watchdog;

import java.time.Duration;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Decides when a loop looks for wait cycles: when nothing has moved for a while, and now and then while it moves. A
 * loop in which nothing has happened since its last search is left alone, so that a sleeping loop stays asleep. One
 * thread, but for the loop's answers.
 */
final class WaitCyclesWatch {
    /** A moving loop is examined this many times as rarely as a standing one. */
    private static final int MOVING = 3;

    /** A standstill that nothing is known to end is reported after this many times the ordinary time. */
    private static final int LONG = 3;

    /** The same where an executor has brought tasks before. */
    private static final int VERY_LONG = 20;

    /** Searches take at most one part in this many of the loop's time. */
    private static final int SHARE = 1_000;

    private final LoopProbe loop;
    private final int standstillChecks;
    private final Duration period;
    private long activity = -1;
    private int unchangedChecks;
    private int checksSinceSearch;
    private long notBefore = System.nanoTime();
    private boolean searchAgain = true;
    private volatile boolean searching;
    private volatile boolean hasSearched;
    private volatile boolean cycleSuspected;
    private volatile long searchNanos;

    /**
     * Without a check so far.
     *
     * @param loop to watch
     * @param standstillChecks how many checks in a row without a change are a standstill
     * @param period from one check to the next
     */
    WaitCyclesWatch(LoopProbe loop, int standstillChecks, Duration period) {
        this.loop = loop;
        this.standstillChecks = standstillChecks;
        this.period = period;
    }

    /** Makes one check; called once in each period. */
    void check() {
        if (searching) return;
        long now = loop.activity();
        if (now != activity) {
            activity = now;
            unchangedChecks = 0;
            searchAgain = true;
        } else {
            unchangedChecks++;
        }
        checksSinceSearch++;
        checkForNoProgress();
        if (cycleSuspected) {
            cycleSuspected = false;
            searchAgain = true;
        }
        boolean due = unchangedChecks >= standstillChecks
                ? checksSinceSearch >= standstillChecks
                : checksSinceSearch >= MOVING * standstillChecks;
        if (!searchAgain || !due || loop.isEnding() || System.nanoTime() - notBefore < 0) return;
        search();
    }

    /**
     * Looks for a run without progress: when nothing has happened for long, once for each such time; and when an
     * executor has been collected, as nothing else wakes the loop to see that.
     */
    private void checkForNoProgress() {
        boolean isLong = unchangedChecks == VERY_LONG * standstillChecks;
        if (!isLong && unchangedChecks != LONG * standstillChecks && !(unchangedChecks > 0 && loop.hasLostAnExecutor()))
            return;
        if (!loop.isEnding()) checkForNoProgress(period.multipliedBy(unchangedChecks), isLong);
    }

    /** Has the loop check. The check does nothing if anything has happened before it. */
    private void checkForNoProgress(Duration standing, boolean isLong) {
        long before = loop.activity();
        loop.inspect(
                () -> {
                    if (loop.activity() == before) NoProgress.of(loop.loop()).check(standing, isLong);
                    return false;
                },
                (nothing, nanos) -> {});
    }

    private void search() {
        searchAgain = false;
        checksSinceSearch = 0;
        searching = true;
        notBefore = System.nanoTime() + SHARE * searchNanos;
        loop.inspect(() -> WaitCycles.of(loop.loop()).search(), (suspicious, nanos) -> {
            searchNanos = hasSearched
                    ? nanos
                    : 0; // the first search loads classes, and would make the second one wait for seconds
            hasSearched = true;
            cycleSuspected = suspicious;
            searching = false;
        });
    }
}
