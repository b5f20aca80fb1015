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
 * One operation of one coroutine on a handle: waits in the handle's queue, ends once, with success or an error of its own. It is not closed by
 * ending, so that its owner may use the object for the next operation.
 */
public abstract class IoRequest extends SourceEvent {
    private final String what;
    private boolean done;
    private @Nullable Throwable error;

    /**
     * An operation that has not ended.
     *
     * @param loop of the coroutine
     * @param what it is, for reports
     */
    protected IoRequest(Loop loop, String what) {
        super(loop.activeEvents());
        this.what = what;
    }

    /**
     * Ends it and wakes whoever waits.
     *
     * @param failure its error, or null
     */
    public final void complete(@Nullable Throwable failure) {
        if (done) return;
        done = true;
        error = failure;
        notifyCallbacks(null, failure);
    }

    /** Makes it as new. */
    public final void renew() {
        done = false;
        error = null;
    }

    /** True once it has ended. */
    public final boolean isDone() {
        return done;
    }

    /**
     * Suspends the running coroutine until the request has ended.
     *
     * @param token gives the wait up, or null
     * @throws AsyncCancellation if it was given up; the request is then withdrawn
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
     * An error that others have been given, or another thread has met, for one more: each has an exception of its own, with its own stack.
     *
     * @param error the first one
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
