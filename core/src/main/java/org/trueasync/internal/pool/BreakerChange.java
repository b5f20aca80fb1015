package org.trueasync.internal.pool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;

/**
 * The event that a breaker's state has changed. A coroutine waits for it, again and again, until the breaker may admit
 * a call. It has no source to arm.
 */
final class BreakerChange extends Event {
    private final Breaker breaker;

    BreakerChange(Breaker breaker) {
        this.breaker = breaker;
    }

    void fire() {
        notifyCallbacks(null, null);
    }

    /**
     * Waits until a call may be admitted.
     *
     * @param token gives the wait up, or null
     * @param call the waiting call, for messages
     * @param requireOpen throws if there is nothing to wait for any more, because the pool was closed
     */
    void awaitAvailable(@Nullable Completable<?> token, String call, Runnable requireOpen) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        Awaiting.markUsed(token);
        while (true) {
            Awaiting.requireOpen(token);
            requireOpen.run();
            Duration untilRetry = breaker.retryIn();
            if (untilRetry != null && !untilRetry.isPositive()) return;
            self.newWait();
            self.resumeWhen(this, ResumeCallback.RESOLVE);
            if (untilRetry != null) self.resumeWhen(self.loop().timers().oneShot(untilRetry), ResumeCallback.RESOLVE);
            if (token != null) self.resumeWhen(Awaiting.event(token), ResumeCallback.CANCEL);
            self.awaitEvents();
        }
    }

    @Override
    public String info() {
        return "circuit breaker of " + breaker.describe();
    }
}
