package org.trueasync.internal.watchdog;

import java.time.Duration;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.stall.NoProgress;
import org.trueasync.internal.stall.WaitCycles;

/**
 * Decides when a loop is asked for coroutines that wait for each other: when nothing has moved for a while, and now and then while it moves. A loop in which nothing has happened since it
 * was last asked is not asked again, so that one that sleeps stays asleep. One thread, but for what the loop tells.
 */
final class WaitCyclesWatch {
    /** So many times as rare as in one that stands is the look at a loop that moves. */
    private static final int MOVING = 3;

    /** So many times as long as a standstill is the one after which it is told of, where nobody is known to end it. */
    private static final int LONG = 3;

    /** The same where an executor has brought tasks before. */
    private static final int VERY_LONG = 20;

    /** The loop's time for looks is at the most one part of so many. */
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
     * Nothing asked so far.
     *
     * @param loop whom
     * @param unchangedLooks so many looks in a row without a change are a standstill
     * @param period from one look to the next
     */
    WaitCyclesWatch(LoopProbe loop, int unchangedLooks, Duration period) {
        this.loop = loop;
        this.unchangedLooks = unchangedLooks;
        this.period = period;
    }

    /** Called at even distances. */
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

    /** When nothing has happened for long, once for each time; and when an executor has been collected, as nobody else wakes the loop to see it. */
    private void lookForNoProgress() {
        boolean isLong = still == VERY_LONG * unchangedLooks;
        if (!isLong && still != LONG * unchangedLooks && !(still > 0 && loop.hasLostAnExecutor())) return;
        if (!loop.isEnding()) lookForNoProgress(period.multipliedBy(still), isLong);
    }

    /** If something happens before the look, there is none. */
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
            cost = hasAsked ? nanos : 0; // the first one loads classes, and would have the second wait for seconds
            hasAsked = true;
            more = suspicious;
            asking = false;
        });
    }
}
