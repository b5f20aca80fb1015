package org.trueasync.internal.threads;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.queue.IntrusiveList;
import org.trueasync.spi.EndOfRun;

/**
 * One task on its way through a pool.
 *
 * <pre>
 *  WAITS -> TAKEN -> OVER   a worker has it; it has ended
 *  WAITS -> OVER            abandoned before a worker had it: it is not run
 *  TAKEN -> WAITS           the worker ends before it has begun the task
 * </pre>
 */
final class PoolJob<T> extends IntrusiveList.Node {
    private static final int WAITS = 0;
    private static final int TAKEN = 1;
    private static final int OVER = 2;

    final Callable<T> task;
    /** Of its submitter. */
    final @Nullable Inheritance context = Inheritance.ofContext();
    /** True if a task of the same pool submitted it. */
    boolean fromWorker;

    private final ThreadPoolCore pool;
    private final Loop submitter;
    private final PoolFuture<T> future;
    private final AtomicInteger progress = new AtomicInteger(WAITS);
    private volatile @Nullable AsyncCancellation cancellation;
    private volatile @Nullable PoolRun<T> run;

    PoolJob(ThreadPoolCore pool, Loop submitter, Callable<T> task) {
        this.pool = pool;
        this.submitter = submitter;
        this.task = task;
        future = new PoolFuture<>(submitter, this);
    }

    FutureCore<T> future() {
        return future;
    }

    boolean isWaiting() {
        return progress.get() == WAITS;
    }

    /** Takes the job for a worker. True if it was still queued. */
    boolean take() {
        return progress.compareAndSet(WAITS, TAKEN);
    }

    /** Gives the job back, because the worker that took it can't begin it. */
    void handBack() {
        progress.compareAndSet(TAKEN, WAITS);
    }

    /** Abandons the job. True if it was still queued; no worker runs it then. True once only. */
    boolean abandon() {
        return progress.compareAndSet(WAITS, OVER);
    }

    /** True if it was abandoned before a worker began it. */
    boolean isAbandoned() {
        return progress.get() == OVER && run == null;
    }

    /**
     * Cancels the job. Any thread.
     *
     * @param reason the exception that its coroutines throw
     * @return true if it has not begun and never will
     */
    boolean cancel(AsyncCancellation reason) {
        cancellation = reason;
        if (abandon()) {
            pool.abandoned(this);
            return true;
        }
        PoolRun<T> running = run;
        if (running != null) running.cancel(reason);
        return false;
    }

    /** Returns the requested cancellation, or null. */
    @Nullable
    AsyncCancellation cancellation() {
        return cancellation;
    }

    /**
     * Called when it begins. {@link #cancellation} has any cancellation that came before this. On the worker's loop.
     */
    void begins(PoolRun<T> begun) {
        run = begun;
    }

    /** Passes the outcome to the future. Any thread. */
    void ended(@Nullable T value, @Nullable Throwable error) {
        progress.set(OVER);
        submitter.post(() -> future.ended(value, error), () -> {
            if (error != null) dropped(error);
        });
    }

    /**
     * Reports an error that the future can't take any more, unless it is only the end of the run. Only where the thread
     * may wait for a lock.
     */
    void dropped(Throwable error) {
        if (!(error instanceof AsyncCancellation) && !(error.getCause() instanceof EndOfRun))
            pool.report("a task has failed whose future had been abandoned", error);
    }

    @Override
    public String toString() {
        return "task in " + pool;
    }
}
