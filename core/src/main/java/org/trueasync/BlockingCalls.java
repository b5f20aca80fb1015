package org.trueasync;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.work.Blocking;

/**
 * The part of {@link Async} that has code run on helper threads. A lambda or a method reference is a {@link Task} or a {@link VoidTask}; the other overloads are
 * for what is in a variable already.
 *
 * <p>Loop thread only.
 */
public abstract sealed class BlockingCalls permits Sections {
    BlockingCalls() {}

    /**
     * Runs code that blocks its thread on a helper thread, while only this coroutine waits. Up to 256 run at the same time in the process, the others
     * wait in line.
     *
     * <p>The task is not in a coroutine: what belongs to one can't be called there, and what it shares with coroutines must be safe for several threads.
     * Cancelling ends the wait at once and interrupts the thread; whether the task looks at that is its own business. What it brings or throws
     * after that is dropped: a task that makes something to be closed should hand it over otherwise.
     *
     * @param task what it does
     * @return its value
     * @throws AsyncCancellation if this coroutine was cancelled; a task that has not begun is then not run
     * @throws java.util.concurrent.CompletionException with a checked exception of the task's as its cause, as it comes from another thread
     */
    public static <T> T blocking(Callable<T> task) {
        return Blocking.call(Objects.requireNonNull(task, "task"), null);
    }

    /**
     * As {@link #blocking(Callable)}.
     *
     * @param task what it does
     * @return its value
     */
    public static <T> T blocking(Task<T> task) {
        return blocking((Callable<T>) task);
    }

    /**
     * As {@link #blocking(Callable)}.
     *
     * @param task what it does
     * @return its value
     */
    public static <T> T blocking(Supplier<T> task) {
        Objects.requireNonNull(task, "task");
        return blocking((Callable<T>) task::get);
    }

    /**
     * As {@link #blocking(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static void blocking(Body task) {
        Blocking.call(Tasks.of(task), null);
    }

    /**
     * As {@link #blocking(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static void blocking(VoidTask task) {
        blocking((Body) task);
    }

    /**
     * As {@link #blocking(Callable)}, for a task without a result.
     *
     * @param task what it does
     */
    public static void blocking(Runnable task) {
        Objects.requireNonNull(task, "task");
        blocking((Body) task::run);
    }

    /**
     * As {@link #blocking(Callable)}; gives up when the token ends.
     *
     * @param task what it does
     * @param cancellation the token
     * @return its value
     * @throws OperationCanceledException if the token ended first
     */
    public static <T> T blocking(Callable<T> task, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return Blocking.call(Objects.requireNonNull(task, "task"), cancellation);
    }

    /**
     * As {@link #blocking(Callable, Completable)}.
     *
     * @param task what it does
     * @param cancellation the token
     * @return its value
     */
    public static <T> T blocking(Task<T> task, Completable<?> cancellation) {
        return blocking((Callable<T>) task, cancellation);
    }

    /**
     * As {@link #blocking(Callable, Completable)}, for a task without a result.
     *
     * @param task what it does
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first
     */
    public static void blocking(Body task, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        Blocking.call(Tasks.of(task), cancellation);
    }

    /**
     * As {@link #blocking(Callable, Completable)}, for a task without a result.
     *
     * @param task what it does
     * @param cancellation the token
     */
    public static void blocking(VoidTask task, Completable<?> cancellation) {
        blocking((Body) task, cancellation);
    }
}
