package org.trueasync.spi;

import java.util.Objects;

/**
 * What a coroutine still does itself after its body has ended: with it an extension gives back what the coroutine holds.
 *
 * <p>Loop thread only.
 */
public final class ExitActions {
    private ExitActions() {}

    /**
     * Adds an action to the current coroutine. It runs there once the body has returned or thrown, before anybody is told of the end and before
     * finally handlers; the last added runs first. Ordinary cancellations are not thrown inside. What it throws the coroutine fails with, or carries as suppressed.
     *
     * @param action may wait
     * @throws org.trueasync.AsyncException outside a coroutine, or if it ends already: in a switch handler that is told of the end, for instance
     */
    public static void add(Runnable action) {
        SchedulerProvider.get().addExitAction(Objects.requireNonNull(action, "action"));
    }
}
