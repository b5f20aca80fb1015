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
     * @param one any
     */
    public void add(StallAction one) {
        if (!one.isIn(registered)) add(one, registered);
    }

    /**
     * As {@link #add}, for an action that runs last: when all others have run without waking a coroutine, and the loop
     * still stands still.
     *
     * @param one any
     */
    public void addLast(StallAction one) {
        if (!one.isIn(last)) add(one, last);
    }

    private void add(StallAction one, IntrusiveList<StallAction> actions) {
        one.round = rounds;
        actions.add(one);
    }

    /**
     * Removes an action, if it is registered.
     *
     * @param one any
     */
    public void remove(StallAction one) {
        if (!registered.remove(one)) last.remove(one);
    }

    boolean anyLeft() {
        return !registered.isEmpty() || !last.isEmpty();
    }

    /**
     * Runs one round: all actions that are registered now, each of which is removed. Actions registered meanwhile are
     * for the next round. In a service coroutine.
     */
    void runAll() {
        if (!registered.isEmpty()) runAll(registered);
        // Something may have arrived since the loop found nothing to do.
        else if (isStalled.getAsBoolean()) runAll(last);
    }

    private void runAll(IntrusiveList<StallAction> actions) {
        rounds++;
        StallAction one;
        while ((one = actions.first()) != null && one.round != rounds) {
            one.stalled();
            actions.remove(one); // once is enough, also if it has not helped
        }
    }
}
