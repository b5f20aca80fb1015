package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.Loop;

/**
 * The future of a task in a pool, on the loop of its submitter. The task is cancelled when the last waiter has left. If
 * there never was a waiter, the task runs to its end.
 */
final class PoolFuture<T> extends FutureCore<T> {
    private final Loop loop;
    private final PoolJob<T> job;

    PoolFuture(Loop loop, PoolJob<T> job) {
        super(loop);
        this.loop = loop;
        this.job = job;
        feedFromOutside();
    }

    @Override
    protected void cancelled(AsyncCancellation reason) {
        job.cancel(reason);
    }

    @Override
    protected void disarm() {
        super.disarm();
        checkForWaiters();
    }

    @Override
    protected void unwanted() {
        var reason = new AsyncCancellation("nobody waits for the task any more");
        if (job.cancel(reason)) cancel(reason);
    }

    /** Ends the future with the task's outcome. Loop thread. */
    void ended(@Nullable T value, @Nullable Throwable error) {
        if (error == null) tryComplete(value);
        else if (!tryFail(error)) loop.inService(() -> job.dropped(error));
    }

    @Override
    public String info() {
        return isCompleted() ? super.info() : job + ", pending";
    }
}
