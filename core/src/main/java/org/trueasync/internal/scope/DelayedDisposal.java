package org.trueasync.internal.scope;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.time.HeapTimer;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Disposes of a scope after a time: by a hidden timer, which ends with the scope. */
public final class DelayedDisposal {
    private DelayedDisposal() {}

    /**
     * Starts the time, in place of an earlier one. Does nothing for a scope that is empty or cancelled.
     *
     * @param scope the scope
     * @param time >= 0
     * @throws IllegalArgumentException if the time is negative
     */
    public static void start(CoroutineScope scope, Duration time) {
        TimeLimits.notNegative(time, "timeout of disposeAfterTimeout");
        if (scope.isCancelled() || !scope.isPopulated()) return;
        HeapTimer timer = scope.loop().timers().oneShot(time);
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                scope.loop().inService(() -> end(scope, time));
            }
        });
        scope.extras().setDeadline(timer);
        timer.start();
    }

    private static void end(CoroutineScope scope, Duration time) {
        scope.cancel(
                new AsyncCancellation("scope disposed of after a timeout", new AsyncTimeoutException(time)), false);
    }
}
