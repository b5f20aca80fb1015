package org.trueasync.internal.sync;

import java.util.function.Consumer;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.Timeout;

/** Waits that say whether they were in time. */
public final class Limits {
    private Limits() {}

    /**
     * Waits at most that long.
     *
     * @param limit counts from the wait on
     * @param wait gives up when the token ends
     * @return false if the time was over first
     */
    public static boolean within(Timeout limit, Consumer<Completable<?>> wait) {
        try {
            wait.accept(limit);
            return true;
        } catch (OperationCanceledException e) {
            // Anything else that gives it up, as a cancellation with this class, is not the limit's.
            if (limit.isCompleted() && e.getCause() instanceof AsyncTimeoutException) return false;
            throw e;
        }
    }
}
