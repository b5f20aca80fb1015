package org.trueasync.internal.await;

import java.time.Duration;
import org.trueasync.Completable;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;

/** A delay that a token can end. One without a token needs no event, see {@link CoroutineImpl#delay}. */
public final class Sleeping {
    private Sleeping() {}

    /**
     * Waits at least this long.
     *
     * @param nanos 0 lets the others run
     * @param token gives the wait up; one that has ended already does so before it begins
     */
    public static void sleep(long nanos, Completable<?> token) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("Async.delay");
        Awaiting.markUsed(token);
        Awaiting.requireOpen(token);
        if (nanos == 0) self.yieldNow();
        else Awaiting.until(self, self.loop().timers().oneShot(Duration.ofNanos(nanos)), token);
    }
}
