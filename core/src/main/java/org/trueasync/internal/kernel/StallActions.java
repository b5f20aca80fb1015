package org.trueasync.internal.kernel;

import java.util.function.BooleanSupplier;
import org.trueasync.internal.list.IntrusiveList;

/** The stall actions of a runtime, in the order of registration. Loop thread only. */
public final class StallActions {
    private final IntrusiveList<StallAction> registered = new IntrusiveList<>();
    /** Run only when no other is left. */
    private final IntrusiveList<StallAction> last = new IntrusiveList<>();

    private final BooleanSupplier isStalled;
    private int rounds;

    /**
     * Without actions so far.
     *
     * @param isStalled whether no coroutine is ready and nothing is due, the calling service coroutine not counted
     */
    StallActions(BooleanSupplier isStalled) {
        this.isStalled = isStalled;
    }

    /**
     * Registers an action, unless it is registered already.
     *
     * @param action any
     */
    public void add(StallAction action) {
        if (!action.isIn(registered)) add(action, registered);
    }

    /**
     * As {@link #add}, for an action that runs last: when all others have run without waking a coroutine, and the loop
     * still stands still.
     *
     * @param action any
     */
    public void addLast(StallAction action) {
        if (!action.isIn(last)) add(action, last);
    }

    private void add(StallAction action, IntrusiveList<StallAction> actions) {
        action.round = rounds;
        actions.add(action);
    }

    /**
     * Removes an action, if it is registered.
     *
     * @param action any
     */
    public void remove(StallAction action) {
        if (!registered.remove(action)) last.remove(action);
    }

    boolean anyLeft() {
        return !registered.isEmpty() || !last.isEmpty();
    }

    /**
     * Runs one round and removes each action that it runs: all ordinary ones that are registered now; or, if there are
     * none and the loop still stands still, those that run last. Actions registered meanwhile are for the next round.
     * In a service coroutine.
     */
    void runAll() {
        if (!registered.isEmpty()) runAll(registered);
        // Something may have arrived since the loop found nothing to do.
        else if (isStalled.getAsBoolean()) runAll(last);
    }

    private void runAll(IntrusiveList<StallAction> actions) {
        rounds++;
        StallAction action;
        while ((action = actions.first()) != null && action.round != rounds) {
            action.stalled();
            actions.remove(action); // once is enough, also if it has not helped
        }
    }
}
