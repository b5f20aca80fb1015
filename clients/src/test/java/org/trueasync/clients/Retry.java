package org.trueasync.clients;

import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.remaining;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.ratelimiter.RateLimiter;
import java.io.IOException;
import java.util.concurrent.Callable;

/** The retry that the guide shows: how often, after which pause, and how many in all. */
record Retry(int attempts, IntervalFunction pause, RateLimiter budget) {
    <T> T call(Callable<T> work) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.call();
            } catch (IOException failure) {
                long millis = pause.apply(attempt);
                if (attempt == attempts || isTooLate(millis) || !budget.acquirePermission()) throw failure;
                delay(millis);
            }
        }
    }

    private static boolean isTooLate(long millis) {
        var left = remaining();
        return currentCoroutine().isCancellationRequested() || (left != null && left.toMillis() <= millis);
    }
}
