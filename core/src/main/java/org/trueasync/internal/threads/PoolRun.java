package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * A task on its worker: a coroutine in a scope of its own. When the task's coroutine has ended, the coroutines that are
 * left in the scope are cancelled. The run is over when all of them have ended. An unobserved error of one of them,
 * while the task runs, cancels the scope, and the task fails with that error.
 */
final class PoolRun<T> extends EventCallback {
    final PoolJob<T> job;
    private final PoolWorker worker;
    private final Loop loop;
    private final CoroutineScope scope;
    private @Nullable T value;
    private @Nullable Throwable error;
    /** The first unobserved error of a spawned coroutine. */
    private @Nullable Throwable childError;

    private boolean ended;

    PoolRun(PoolWorker worker, Loop loop, PoolJob<T> job) {
        this.worker = worker;
        this.loop = loop;
        this.job = job;
        scope = CoroutineScope.independent(loop);
    }

    /** Starts the task. On the worker's loop. */
    void begin() {
        scope.extras().errorHandler = (owner, coroutine, thrown) -> childFailed(thrown);
        CoroutineImpl<T> coroutine = scope.spawn(CoroutineKind.ORDINARY, null, Tasks.task(job.task));
        coroutine.inherits(job.context);
        coroutine.markObserved();
        coroutine.addCallback(this);
        scope.abandon(); // it closes when its last coroutine has ended
        job.begins(this);
        AsyncCancellation early = job.cancellation();
        if (early != null) scope.cancel(early, false);
    }

    /** Cancels the task. Any thread. */
    void cancel(AsyncCancellation reason) {
        loop.post(() -> cancelSoon(reason));
    }

    private void cancelSoon(AsyncCancellation reason) {
        loop.inService(() -> scope.cancel(reason, false));
    }

    /** Takes the error of a spawned coroutine. In a coroutine. */
    private void childFailed(Throwable thrown) {
        if (ended || childError != null) {
            worker.report("a coroutine of a task has failed, and the task had ended", thrown);
            return;
        }
        childError = thrown;
        scope.cancel(new AsyncCancellation("another coroutine of the same task has failed", thrown), false);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
        var coroutine = (CoroutineImpl<T>) event;
        value = coroutine.result();
        error = coroutine.exception();
        ended = true;
        if (childError != null) {
            value = null;
            error = error == null || error instanceof AsyncCancellation ? childError : error;
        }
        // The task's own coroutine is still in the scope.
        if (scope.live() == 1 && scope.childScopes().isEmpty()) {
            worker.ended(this);
            return;
        }
        scope.extras().addFinally(closed -> worker.ended(this));
        cancelSoon(new AsyncCancellation("the task that spawned this has ended"));
    }

    /** True if it was cancelled without a request: its worker may be about to end. */
    boolean isCancelledUnrequested() {
        return error instanceof AsyncCancellation && job.cancellation() == null;
    }

    @Nullable
    Throwable error() {
        return error;
    }

    void settle() {
        job.ended(value, error);
    }
}
