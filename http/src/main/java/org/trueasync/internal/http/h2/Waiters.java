package org.trueasync.internal.http.h2;

import java.time.Duration;
import org.trueasync.Async;
import org.trueasync.FutureState;

/** Coroutines that wait for the same thing. Loop thread. */
final class Waiters {
    private final FutureState<Object> state = new FutureState<>();

    Waiters() {
        state.ignore();
    }

    void await() {
        Async.await(state.future());
    }

    /**
     * Waits.
     *
     * @param nanos 0 for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    void await(long nanos) {
        if (nanos == 0) await();
        else Async.await(state.future(), Async.timeout(Duration.ofNanos(nanos)));
    }

    void wake() {
        state.complete(this);
    }
}
