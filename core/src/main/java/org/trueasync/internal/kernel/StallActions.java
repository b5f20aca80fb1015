package org.trueasync.internal.kernel;

import java.util.function.BooleanSupplier;
import org.trueasync.internal.queue.IntrusiveList;

/** The stall actions of a runtime, in the order of registration. Loop thread only. */
public final class StallActions {
    /**
     * Runs when nothing else in the runtime can make progress. It may wake a coroutine; only if none does, the run is
     * deadlocked.
     */
    public abstract static class Action extends IntrusiveList.Node {
        /** The number of the last round that had begun when it was registered. */
        private int round;

        /** Not registered yet. */
        protected Action() {}

        /** Called when the loop stands still, in a service coroutine. May remove any stall action. */
        protected abstract void stalled();
    }

    private final IntrusiveList<Action> registered = new IntrusiveList<>();
    /** Run only when no other is left. */
    private final IntrusiveList<Action> last = new IntrusiveList<>();

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
    public void add(Action action) {
        if (!action.isIn(registered)) add(action, registered);
    }

    /**
     * As {@link #add}, for an action that runs last: when all others have run without waking a coroutine, and the loop
     * still stands still.
     *
     * @param action any
     */
    public void addLast(Action action) {
        if (!action.isIn(last)) add(action, last);
    }

    private void add(Action action, IntrusiveList<Action> actions) {
        action.round = rounds;
        actions.add(action);
    }

    /**
     * Removes an action, if it is registered.
     *
     * @param action any
     */
    public void remove(Action action) {
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

    private void runAll(IntrusiveList<Action> actions) {
        rounds++;
        Action action;
        while ((action = actions.first()) != null && action.round != rounds) {
            action.stalled();
            actions.remove(action); // once is enough, also if it has not helped
        }
    }
}
