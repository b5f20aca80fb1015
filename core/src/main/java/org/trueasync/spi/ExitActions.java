package org.trueasync.spi;

import java.util.Objects;

/**
 * Actions that a coroutine runs itself after its body has ended. With them an extension releases what the coroutine
 * holds.
 *
 * <p>Loop thread only.
 */
public final class ExitActions {
    private ExitActions() {}

    /**
     * Adds an action to the current coroutine. It runs in the coroutine once the body has returned or thrown, before
     * waiters see the end and before finally handlers; the last added action runs first. Ordinary cancellations are not
     * thrown inside. If the action throws, the coroutine fails with that error; if it has failed already, its error
     * gets that one as suppressed.
     *
     * @param action may wait
     * @throws org.trueasync.AsyncException outside a coroutine, or if the coroutine is ending already: in a switch
     *     handler that is called for its end, for instance
     */
    public static void add(Runnable action) {
        SchedulerProvider.get().addExitAction(Objects.requireNonNull(action, "action"));
    }
}
