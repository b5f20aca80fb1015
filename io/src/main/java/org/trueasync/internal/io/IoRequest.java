package org.trueasync.internal.io;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.SourceEvent;

/**
 * One operation of one coroutine on a handle: it waits in the handle's queue and ends once, with success or an error of
 * its own. Ending does not close the event, so its owner may reuse the object for the next operation.
 */
public abstract class IoRequest extends SourceEvent {
    private final String what;
    private boolean done;
    private @Nullable Throwable error;

    /**
     * Makes an operation that has not ended.
     *
     * @param loop of the coroutine
     * @param what the coroutine waits for, for reports
     */
    protected IoRequest(Loop loop, String what) {
        super(loop.activeEvents());
        this.what = what;
    }

    /**
     * Ends the operation and wakes its coroutine. Further calls do nothing.
     *
     * @param failure its error, or null
     */
    public final void complete(@Nullable Throwable failure) {
        if (done) return;
        done = true;
        error = failure;
        notifyCallbacks(null, failure);
    }

    /** Resets the request, so that it can be used for the next operation. */
    public final void renew() {
        done = false;
        error = null;
    }

    /** True once it has ended. */
    public final boolean isDone() {
        return done;
    }

    /**
     * Suspends the running coroutine until the request has ended, and throws its error, if it has one.
     *
     * @param token ends the wait, or null
     * @throws AsyncCancellation if the coroutine was cancelled or the token has ended; the request is then withdrawn,
     *     unless it was submitted already
     */
    public final void await(@Nullable Completable<?> token) {
        if (done) {
            if (error != null) throw again(error);
            return;
        }
        CoroutineImpl<?> self = Runtimes.currentCoroutine(what);
        Awaiting.until(self, this, token);
    }

    /**
     * Throws or returns an error for one more caller, after it was thrown to other callers or on another thread. Each
     * caller gets an {@link InputOutputException} of its own, with its own stack; errors of other types are thrown as
     * they are.
     *
     * @param error as it was first thrown
     */
    public static RuntimeException again(Throwable error) {
        if (error instanceof InputOutputException e)
            return new InputOutputException(String.valueOf(e.getMessage()), e.errno(), e);
        throw Throwing.sneaky(error);
    }

    @Override
    public String info() {
        return what;
    }
}
