package org.trueasync.internal.watchdog;

import java.time.Duration;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.stall.NoProgress;
import org.trueasync.internal.stall.WaitCycles;

/**
 * Decides when a loop looks for wait cycles: when nothing has moved for a while, and now and then while it moves. A loop in which nothing has
 * happened since its last look is left alone, so that a sleeping loop stays asleep. One thread, but for the loop's answers.
 */
final class WaitCyclesWatch {
    /** A moving loop is examined this many times as rarely as a standing one. */
    private static final int MOVING = 3;

    /** A standstill that nothing is known to end is reported after this many times the ordinary time. */
    private static final int LONG = 3;

    /** The same where an executor has brought tasks before. */
    private static final int VERY_LONG = 20;

    /** Looks take at most one part in this many of the loop's time. */
    private static final int SHARE = 1_000;

    private final LoopProbe loop;
    private final int unchangedLooks;
    private final Duration period;
    private long activity = -1;
    private int still;
    private int since;
    private long notBefore = System.nanoTime();
    private boolean again = true;
    private volatile boolean asking;
    private volatile boolean hasAsked;
    private volatile boolean more;
    private volatile long cost;

    /**
     * Without a look so far.
     *
     * @param loop to watch
     * @param unchangedLooks how many looks in a row without a change are a standstill
     * @param period from one look to the next
     */
    WaitCyclesWatch(LoopProbe loop, int unchangedLooks, Duration period) {
        this.loop = loop;
        this.unchangedLooks = unchangedLooks;
        this.period = period;
    }

    /** Called periodically. */
    void look() {
        if (asking) return;
        long now = loop.activity();
        if (now != activity) {
            activity = now;
            still = 0;
            again = true;
        } else {
            still++;
        }
        since++;
        lookForNoProgress();
        if (more) {
            more = false;
            again = true;
        }
        boolean due = still >= unchangedLooks ? since >= unchangedLooks : since >= MOVING * unchangedLooks;
        if (!again || !due || loop.isEnding() || System.nanoTime() - notBefore < 0) return;
        ask();
    }

    /**
     * Looks for a run without progress: when nothing has happened for long, once for each such time; and when an executor has been collected, as
     * nothing else wakes the loop to see that.
     */
    private void lookForNoProgress() {
        boolean isLong = still == VERY_LONG * unchangedLooks;
        if (!isLong && still != LONG * unchangedLooks && !(still > 0 && loop.hasLostAnExecutor())) return;
        if (!loop.isEnding()) lookForNoProgress(period.multipliedBy(still), isLong);
    }

    /** Has the loop look. The look does nothing if anything has happened before it. */
    private void lookForNoProgress(Duration standing, boolean isLong) {
        long before = loop.activity();
        loop.look(
                () -> {
                    if (loop.activity() == before) NoProgress.of(loop.loop()).look(standing, isLong);
                    return false;
                },
                (nothing, nanos) -> {});
    }

    private void ask() {
        again = false;
        since = 0;
        asking = true;
        notBefore = System.nanoTime() + SHARE * cost;
        loop.look(() -> WaitCycles.of(loop.loop()).look(), (suspicious, nanos) -> {
            cost = hasAsked ? nanos : 0; // the first look loads classes, and would make the second one wait for seconds
            hasAsked = true;
            more = suspicious;
            asking = false;
        });
    }
}
