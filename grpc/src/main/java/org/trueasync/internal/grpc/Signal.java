package org.trueasync.internal.grpc;

import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.FutureState;

/** Tells the coroutines that wait that something has changed. Loop thread. */
final class Signal {
    private @Nullable FutureState<Boolean> waiting;

    void await() {
        if (waiting == null) waiting = new FutureState<Boolean>().ignore();
        Async.await(waiting.future());
    }

    void wake() {
        FutureState<Boolean> all = waiting;
        waiting = null;
        if (all != null) all.complete(true);
    }
}
