package org.trueasync.spi;

import org.trueasync.Body;

/**
 * Actions for the end of a run.
 *
 * <p>Loop thread only.
 */
public final class Cleanup {
    private Cleanup() {}

    /**
     * Runs the action once all coroutines of the current run have ended, or were ended by a shutdown, and before the
     * reactor stops. Actions run one after another, the last registered first, in one coroutine; when an action
     * suspends, another coroutine continues with the next one. All have ended when {@code run} returns. If an action
     * throws, the other actions still run, and {@code run} throws the error at its end, unless it is a cancellation.
     *
     * @param action may suspend
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static void atEnd(Body action) {
        SchedulerProvider.get().addCleanup(action);
    }
}
