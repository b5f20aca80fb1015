package org.trueasync.internal.http.h2;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.FutureState;

/** Coroutines that wait for the same thing, time and again. Loop thread. */
public final class Waiters {
    /** Null while nobody waits. */
    private @Nullable FutureState<Object> woken;

    private int wakes;

    /** Waits until the next {@link #wake}. */
    public void await() {
        await(0);
    }

    /**
     * Waits.
     *
     * @param nanos 0 for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    public void await(long nanos) {
        if (woken == null) woken = new FutureState<>().ignore();
        if (nanos == 0) Async.await(woken.future());
        else Async.await(woken.future(), Async.timeout(Duration.ofNanos(nanos)));
    }

    /**
     * Waits.
     *
     * @param token ends the wait
     * @throws org.trueasync.OperationCanceledException if the token ends first
     */
    void await(Completable<?> token) {
        if (woken == null) woken = new FutureState<>().ignore();
        Async.await(woken.future(), token);
    }

    /** How often it was woken. */
    int wakes() {
        return wakes;
    }

    /** Wakes all who wait now. */
    public void wake() {
        wakes++;
        FutureState<Object> all = woken;
        woken = null;
        if (all != null) all.complete(this);
    }
}
