package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * A task on its worker: a coroutine in a scope of its own. When it has ended, what it has spawned and not awaited is cancelled; it is over when all of that has gone.
 * An error that nobody in there awaits ends the task with it.
 */
final class PoolRun<T> extends EventCallback {
    final PoolJob<T> job;
    private final PoolWorker worker;
    private final Loop loop;
    private final CoroutineScope scope;
    private @Nullable T value;
    private @Nullable Throwable error;
    private @Nullable Throwable fromChild;
    private boolean ended;

    PoolRun(PoolWorker worker, Loop loop, PoolJob<T> job) {
        this.worker = worker;
        this.loop = loop;
        this.job = job;
        scope = CoroutineScope.independent(loop);
    }

    /** Begins. On the worker's loop. */
    void begin() {
        scope.extras().errorHandler = (owner, coroutine, thrown) -> childFailed(thrown);
        CoroutineImpl<T> coroutine = scope.spawn(job.task);
        coroutine.markObserved();
        coroutine.addCallback(this);
        scope.abandon(); // it closes with the last of its coroutines
        job.begins(this);
        AsyncCancellation early = job.cancellation();
        if (early != null) scope.cancel(early, false);
    }

    /** Any thread. */
    void cancel(AsyncCancellation reason) {
        loop.post(() -> cancelSoon(reason));
    }

    private void cancelSoon(AsyncCancellation reason) {
        loop.inService(() -> scope.cancel(reason, false));
    }

    /** In a coroutine. */
    private void childFailed(Throwable thrown) {
        if (ended || fromChild != null) {
            worker.report("a coroutine of a task has failed, and the task had ended", thrown);
            return;
        }
        fromChild = thrown;
        scope.cancel(new AsyncCancellation("another coroutine of the same task has failed", thrown), false);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
        var coroutine = (CoroutineImpl<T>) event;
        value = coroutine.result();
        error = coroutine.exception();
        ended = true;
        if (fromChild != null) {
            value = null;
            error = error == null || error instanceof AsyncCancellation ? fromChild : error;
        }
        // The coroutine itself is still in there.
        if (scope.live() == 1 && scope.childScopes().isEmpty()) {
            worker.ended(this);
            return;
        }
        scope.extras().addFinally(closed -> worker.ended(this));
        cancelSoon(new AsyncCancellation("the task that spawned this has ended"));
    }

    /** True if it was cancelled, and nobody has asked for that: its worker may be about to end. */
    boolean isCancelledByChance() {
        return error instanceof AsyncCancellation && job.cancellation() == null;
    }

    /** What it has failed with so far. */
    @Nullable
    Throwable error() {
        return error;
    }

    /** Tells the future. */
    void settle() {
        job.ended(value, error);
    }
}
