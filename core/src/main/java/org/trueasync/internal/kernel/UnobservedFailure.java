package org.trueasync.internal.kernel;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** The error of a coroutine that nobody has awaited so far, remembered in case nobody ever will. */
final class UnobservedFailure extends WeakReference<CoroutineImpl<?>> {
    final Throwable error;
    final SpawnTrace origin;
    boolean observed;

    UnobservedFailure(
            CoroutineImpl<?> coroutine, Throwable error, SpawnTrace origin, ReferenceQueue<CoroutineImpl<?>> queue) {
        super(coroutine, queue);
        this.error = error;
        this.origin = origin;
    }
}
