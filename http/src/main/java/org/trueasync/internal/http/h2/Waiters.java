package org.trueasync.internal.http.h2;

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

    void wake() {
        state.complete(this);
    }
}
