package org.trueasync.internal.http.h2;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.FutureState;

/** Coroutines that wait for the same thing. Loop thread. */
final class Waiters {
    private final FutureState<Object> state = new FutureState<>();

    Waiters() {
        state.ignore();
    }

    /**
     * Waits.
     *
     * @param limit null for ever
     * @throws org.trueasync.OperationCanceledException if the time is over first
     */
    void await(@Nullable Duration limit) {
        if (limit == null) Async.await(state.future());
        else Async.await(state.future(), Async.timeout(limit));
    }

    void wake() {
        state.complete(this);
    }
}
