package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** Parks a coroutine or a thread until another thread unparks it. */
interface Parker {
    /** Ends the wait. Any thread, once. */
    void end();

    /**
     * Waits for the end.
     *
     * @param token gives the wait up, or null
     * @throws AsyncCancellation if the coroutine is cancelled, the token ends the wait, or the thread is interrupted
     */
    void await(@Nullable Completable<?> token);

    /**
     * Returns the loop on which the calling coroutine or callback runs; null on a thread that may park: a thread
     * without a loop, or a virtual thread that a library has started on a loop.
     *
     * @param call the call, for messages
     * @param token the caller's token, or null
     * @throws AsyncException if the caller has a token, which belongs to a loop, and this would return null
     */
    static @Nullable Loop loopHere(String call, @Nullable Completable<?> token) {
        Loop loop = Runtimes.hereOrNull();
        if (loop != null && (loop.runsCoroutine() || !Thread.currentThread().isVirtual())) return loop;
        if (token != null)
            throw new AsyncException(call + " with a cancellation token needs a coroutine, and '"
                    + Thread.currentThread() + "' is none; call it without, and interrupt the thread instead");
        return null;
    }
}
