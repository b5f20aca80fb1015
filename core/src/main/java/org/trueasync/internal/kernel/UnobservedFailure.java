package org.trueasync.internal.kernel;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** The error of a coroutine that nobody has awaited so far, remembered in case nobody ever will. */
final class UnobservedFailure extends WeakReference<CoroutineImpl<?>> {
    final Throwable error;
    boolean observed;

    UnobservedFailure(CoroutineImpl<?> coroutine, Throwable error, ReferenceQueue<CoroutineImpl<?>> queue) {
        super(coroutine, queue);
        this.error = error;
    }
}
