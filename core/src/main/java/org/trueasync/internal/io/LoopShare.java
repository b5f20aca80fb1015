package org.trueasync.internal.io;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.spi.WakerStatus;

/**
 * The share of the loop that a call which may be served without a switch leaves to the others, so that a loop of such calls neither holds
 * them up nor escapes its own cancellation. Called before anything is taken; what the call has looked at may have changed afterwards.
 *
 * <p>Where nobody may suspend (a callback of the reactor, a microtask, a guest thread, a wait that is just being armed) it does nothing: what is served at
 * once is served there too.
 */
final class LoopShare {
    private LoopShare() {}

    /**
     * Lets the others run if it is their turn. On the loop thread.
     *
     * @param call the name of the call
     * @throws org.trueasync.AsyncCancellation if the running coroutine was cancelled
     */
    static void give(Scheduler scheduler, String call) {
        CoroutineImpl<?> self = runningOrNull(scheduler, call);
        // A coroutine that is ending, or arming a wait, runs callbacks of others: it would not come back from here.
        if (self == null || self.status() != WakerStatus.NO_STATUS || self.isCompleted()) return;
        try {
            self.shareLoop();
        } catch (AsyncException refused) {
            if (maySuspend(self)) throw refused;
        }
    }

    private static @Nullable CoroutineImpl<?> runningOrNull(Scheduler scheduler, String call) {
        try {
            return scheduler.requireCurrent(call);
        } catch (AsyncException none) {
            return null;
        }
    }

    private static boolean maySuspend(CoroutineImpl<?> self) {
        try {
            self.newWait();
            return true;
        } catch (AsyncException schedulerContext) {
            return false;
        }
    }
}
