package org.trueasync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs as the main coroutine of a runtime of its own, on a platform thread of its own; see
 * {@link Async#spawnThread(java.util.concurrent.Callable)}.
 *
 * <p>If the task fails, awaiting it throws a {@link RemoteException} with the task's error as the cause.
 * {@link #cancel()} asks for a graceful shutdown of its runtime: its coroutines are cancelled at their next wait, their
 * {@code finally} blocks run; a computation that never waits is not stopped.
 *
 * <p>It need not be awaited, and while it is not awaited it does not keep the run alive: it is shut down with the run
 * that has started it, and that run waits for its end.
 *
 * <p>Loop thread only, except {@code isRunning}; of the runtime that has started it.
 *
 * @param <T> type of the result
 */
public interface ThreadTask<T> extends Completable<T> {
    /** True until its run has ended and this runtime has learned of that. */
    boolean isRunning();

    /**
     * Returns what the task returned; null if it still runs, has failed, was cancelled, or returned null. Never blocks.
     */
    @Nullable
    T result();

    /**
     * Returns what awaiting it throws: a {@link RemoteException} or an {@link AsyncCancellation}; null while it runs
     * and after a success. Never blocks.
     */
    @Nullable
    Throwable error();

    /**
     * Runs the callback once after the thread's run has ended in any way, in a coroutine of its own. If it has ended
     * already, the callback runs at once in the caller. Several callbacks run in the order of registration.
     *
     * @param callback gets this task; may suspend
     */
    void onFinally(Consumer<ThreadTask<T>> callback);
}
