package org.trueasync.internal.kernel;

import org.trueasync.internal.list.IntrusiveList;

/**
 * Runs when nothing else in the runtime can make progress. It may wake a coroutine; only if none does, the run is
 * deadlocked.
 */
public abstract class StallAction extends IntrusiveList.Node {
    /** The number of the last round that had begun when it was registered. */
    int round;

    /** Not registered yet. */
    protected StallAction() {}

    /** Called when the loop stands still, in a service coroutine. May remove any stall action. */
    protected abstract void stalled();
}
