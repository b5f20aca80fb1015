package org.trueasync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs as the main coroutine of a runtime of its own, on a platform thread of its own; see {@link Async#spawnThread(java.util.concurrent.Callable)}.
 *
 * <p>What the task fails with reaches who awaits it as the cause of a {@link RemoteException}. {@link #cancel()} asks for a graceful shutdown of its
 * runtime: its coroutines are cancelled at their next wait, their {@code finally} blocks run; a computation that never waits is not stopped.
 *
 * <p>Nobody has to await it, and while nobody does it does not keep the run alive: it is shut down with the run that has started it, which waits for that.
 *
 * <p>Loop thread only, except {@code isRunning}; of the runtime that has started it.
 *
 * @param <T> type of the result
 */
public interface ThreadTask<T> extends Completable<T> {
    /** True until its run has ended, and this runtime knows. */
    boolean isRunning();

    /** What the task returned, or null: it runs, has failed, was cancelled, or returned null. Never blocks. */
    @Nullable
    T result();

    /** What awaiting it throws: a {@link RemoteException} or an {@link AsyncCancellation}; null while it runs and after a success. Never blocks. */
    @Nullable
    Throwable error();

    /**
     * Runs the callback once after the thread's run has ended, in whichever way, in a coroutine of its own; at once and in the caller when it has ended already.
     * Several run in the order of registration.
     *
     * @param callback gets this task; may suspend
     */
    void onFinally(Consumer<ThreadTask<T>> callback);
}
