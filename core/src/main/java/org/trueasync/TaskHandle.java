package org.trueasync;

import java.time.Duration;

/**
 * One task of a {@link TaskGroup} or {@link TaskSet}: what {@code spawn} returns. Awaiting it takes nothing out of a
 * set. An error counts as handled once a wait for this handle, or its {@code CompletableFuture}, has got it.
 *
 * <p>Loop thread only, except {@code key}, {@code isCompleted}, {@code isCancelled} and the result of
 * {@link #toCompletableFuture()}.
 *
 * @param <T> type of the value
 */
public interface TaskHandle<T> extends Completable<T> {
    /** Returns its key: a number, 0, 1, ..., or the key given to {@code spawnWithKey}. */
    Object key();

    /**
     * Waits for its end and returns its value, or throws its error, as {@link Async#await(Completable)}.
     *
     * @throws AsyncCancellation if the calling coroutine was cancelled, or the task was, or it was dropped before it
     *     began
     */
    T await();

    /**
     * As {@link #await()}; gives up when the token ends. The task goes on then.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    T await(Completable<?> cancellation);

    /**
     * As {@link #await()}; gives up after a time. The task goes on then: {@link #cancel} ends it.
     *
     * @param limit >= 0; with zero this does not wait: it gives up at once if the task has not ended
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}
     * @throws IllegalArgumentException if the limit is negative
     */
    T await(Duration limit);

    /**
     * Cancels this task alone. If it has not begun, it is dropped, and has failed with the reason.
     *
     * @param reason what is thrown in the task
     */
    @Override
    void cancel(AsyncCancellation reason);
}
