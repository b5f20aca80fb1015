package org.trueasync.internal.kernel;

import java.util.function.BooleanSupplier;
import org.trueasync.internal.list.IntrusiveList;

/** The stall actions of a runtime, in the order of registration. Loop thread only. */
public final class StallActions {
    private final IntrusiveList<StallAction> registered = new IntrusiveList<>();
    /** Run only when no other is left. */
    private final IntrusiveList<StallAction> last = new IntrusiveList<>();

    private final BooleanSupplier standsStill;
    private int rounds;

    /**
     * Of a loop.
     *
     * @param standsStill whether nobody is ready, and nothing is due, apart from what asks
     */
    StallActions(BooleanSupplier standsStill) {
        this.standsStill = standsStill;
    }

    /**
     * Registers an action, unless it is registered.
     *
     * @param one any
     */
    public void add(StallAction one) {
        if (!one.isIn(registered)) add(one, registered);
    }

    /**
     * As {@link #add}, for one that may take it that no other has woken anybody: it runs when all others have run, nothing has come of them, and
     * the loop still stands still.
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
     * Takes its registration back, if there is one.
     *
     * @param one any
     */
    public void remove(StallAction one) {
        if (!registered.remove(one)) last.remove(one);
    }

    boolean anyLeft() {
        return !registered.isEmpty() || !last.isEmpty();
    }

    /** Runs all that are registered now, and takes them off: a round. What is registered meanwhile is for the next one. In a service coroutine. */
    void runAll() {
        if (!registered.isEmpty()) runAll(registered);
        // Something may have come since the loop has stood still.
        else if (standsStill.getAsBoolean()) runAll(last);
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
