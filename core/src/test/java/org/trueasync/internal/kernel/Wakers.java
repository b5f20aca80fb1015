package org.trueasync.internal.kernel;

import org.trueasync.Coroutine;
import org.trueasync.spi.Waker;

/** Gives tests the waker of another coroutine. */
public final class Wakers {
    private Wakers() {}

    public static Waker of(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).waker();
    }
}
