package org.trueasync;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.work.Blocking;

/**
 * The part of {@link Async} that runs code on helper threads. A lambda or a method reference is a {@link Task} or a
 * {@link VoidTask}; the other overloads are for a task that is in a variable already.
 *
 * <p>Loop thread only.
 */
public abstract sealed class BlockingCalls permits Sections {
    BlockingCalls() {}

    /**
     * Runs blocking code on a helper thread, so that only this coroutine waits. Up to 256 such calls run at the same
     * time in the process; the others wait for their turn.
     *
     * <p>The task is not in a coroutine: methods that need one can't be called there, and objects that it shares with
     * coroutines must be thread-safe. A cancellation ends the wait at once and interrupts the thread, but it can't make
     * the task stop. The result or error of a task whose wait has ended is dropped: a task that opens something that
     * has to be closed should hand it over in another way.
     *
     * @param task what it does
     * @return its value
     * @throws AsyncCancellation if this coroutine was cancelled; a task that has not begun is then not run
     * @throws java.util.concurrent.CompletionException with a checked exception of the task as its cause, as it comes
     *     from another thread
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
     * As {@link #blocking(Callable)}; gives up when the token ends, and interrupts the thread then.
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
