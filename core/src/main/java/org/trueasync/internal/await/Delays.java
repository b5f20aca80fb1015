package org.trueasync.internal.await;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;

/** Delays that a token may end. A delay without a token needs no event, see {@link CoroutineImpl#delay}. */
public final class Delays {
    private Delays() {}

    /**
     * Waits at least this long.
     *
     * @param nanos 0 lets the other ready coroutines run
     * @param token ends the wait early, or null; if it has ended already, the wait does not begin
     */
    public static void sleep(long nanos, @Nullable Completable<?> token) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Async.delay");
        Awaiting.markUsed(token);
        Awaiting.requireOpen(token);
        if (nanos == 0 || token == null) self.delay(nanos);
        else Awaiting.until(self, self.loop().timers().oneShot(Duration.ofNanos(nanos)), token);
    }
}
