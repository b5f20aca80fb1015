package org.trueasync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs as the main coroutine of a runtime of its own, on a platform thread of its own; see
 * {@link Async#spawnThread(java.util.concurrent.Callable)}.
 *
 * <p>If the task or its run fails, awaiting the task throws a {@link RemoteException} with that error as the cause.
 * {@link #cancel()} asks for a graceful shutdown of the task's runtime: coroutines are cancelled at their next wait,
 * and their {@code finally} blocks run. A computation that never waits is not stopped.
 *
 * <p>A task need not be awaited, and while it is not awaited it does not keep the run alive. It is shut down with the
 * run that has started it. That run waits for its end, but not longer than a shutdown may take
 * ({@link AsyncRuntime.Builder#shutdownTimeout}).
 *
 * <p>Loop thread only, except {@code isRunning}, {@code isCompleted}, {@code isCancelled} and the result of
 * {@link #toCompletableFuture()}; the loop is that of the runtime that has started the task.
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
     * and after a success. An error that this returns counts as observed. Never blocks.
     */
    @Nullable
    Throwable error();

    /**
     * Runs the callback once after the thread's run has ended in any way, in a coroutine of its own. If the run has
     * ended already, the callback runs at once in the caller. Several callbacks begin in the order of registration.
     *
     * @param callback gets this task; may suspend
     */
    void onFinally(Consumer<ThreadTask<T>> callback);
}
