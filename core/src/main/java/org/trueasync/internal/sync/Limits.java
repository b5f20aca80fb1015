package org.trueasync.internal.sync;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.Timeout;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.internal.time.TimerHeap;

/** Waits with a time limit. */
public final class Limits {
    private Limits() {}

    /**
     * Returns the token of a wait with a limit; for a limit of 0 a token that has ended.
     *
     * @param limit the user's limit
     * @param call the user's call, for messages
     * @throws IllegalArgumentException if the limit is negative
     */
    public static Timeout token(Duration limit, String call) {
        Duration time = TimeLimits.notNegative(limit, "limit");
        TimerHeap timers = Runtimes.here(call).timers();
        return time.isZero() ? timers.expired() : timers.timeout(limit);
    }

    /**
     * Waits at most the given time.
     *
     * @param time counts from the beginning of the wait; 0 to try once
     * @param call the user's call, for messages
     * @param attempt called if the time is 0: tries without waiting; true if that succeeded
     * @param wait the wait, which ends when the token ends; false if it was refused
     * @return false if the time was over first, or the attempt or the wait was not successful
     */
    public static boolean within(Duration time, String call, BooleanSupplier attempt, Predicate<Completable<?>> wait) {
        if (TimeLimits.notNegative(time, "limit").isZero()) return attempt.getAsBoolean();
        Timeout limit = token(time, call);
        try {
            return wait.test(limit);
        } catch (OperationCanceledException e) {
            // Another cause that ends the wait with this class of exception is not the limit.
            if (limit.isCompleted() && e.getCause() instanceof AsyncTimeoutException) return false;
            throw e;
        }
    }
}
