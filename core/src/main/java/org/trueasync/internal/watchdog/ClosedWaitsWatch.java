package org.trueasync.internal.watchdog;

import org.trueasync.internal.kernel.LoopProbe;

/**
 * Decides when a loop is asked for coroutines that wait for each other: when nothing has moved for a while, and now and then while it moves. A loop in which nothing has happened since it
 * was last asked is not asked again, so that one that sleeps stays asleep. One thread, but for what the loop tells.
 */
final class ClosedWaitsWatch {
    /** So many times as rare as in one that stands is the look at a loop that moves. */
    private static final int MOVING = 3;

    /** The loop's time for looks is at the most one part of so many. */
    private static final int SHARE = 1_000;

    private final LoopProbe loop;
    private final int patience;
    private long activity = -1;
    private int still;
    private int since;
    private long notBefore = System.nanoTime();
    private boolean again = true;
    private volatile boolean asking;
    private volatile boolean more;
    private volatile long cost;

    /**
     * Nothing asked so far.
     *
     * @param loop whom
     * @param patience so many looks in a row without a change are a standstill
     */
    ClosedWaitsWatch(LoopProbe loop, int patience) {
        this.loop = loop;
        this.patience = patience;
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
        if (more) {
            more = false;
            again = true;
        }
        boolean due = still >= patience ? since >= patience : since >= MOVING * patience;
        if (!again || !due || loop.isEnding() || System.nanoTime() - notBefore < 0) return;
        ask();
    }

    private void ask() {
        again = false;
        since = 0;
        asking = true;
        notBefore = System.nanoTime() + SHARE * cost;
        loop.lookForClosedWaits((suspicious, nanos) -> {
            cost = nanos;
            more = suspicious;
            asking = false;
        });
    }
}
