package org.trueasync.spi;

import org.trueasync.Body;

/**
 * Actions for the end of a run: what destructors are elsewhere.
 *
 * <p>Loop thread only.
 */
public final class Cleanup {
    private Cleanup() {}

    /**
     * Runs the action once all coroutines of the current run have ended, or were ended by a shutdown, and before the reactor stops. Actions
     * run one after another, the last registered first, in one coroutine; when one suspends, another coroutine goes on with the next. All
     * have ended when {@code run} returns. An error is reported and does not keep the others from running.
     *
     * @param action may suspend
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static void atEnd(Body action) {
        SchedulerProvider.get().addCleanup(action);
    }
}
