package org.trueasync;

import java.time.Duration;

/**
 * One task of a {@link TaskGroup} or {@link TaskSet}: what {@code spawn} returns. Asking it takes nothing out of a set; an error that somebody gets by it is handled.
 *
 * <p>Loop thread only, except {@code key}, {@code isCompleted}, {@code isCancelled} and the result of {@link #toCompletableFuture()}.
 *
 * @param <T> type of the value
 */
public interface TaskHandle<T> extends Completable<T> {
    /** Its key: a number, 0, 1, ..., or what {@code spawnWithKey} was given. */
    Object key();

    /**
     * Its value, or its error thrown, as {@link Async#await(Completable)}.
     *
     * @throws AsyncCancellation if the calling coroutine was cancelled, or the task was, or it was dropped before it began
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
     * @param limit >= 0; with zero this does not wait: it gives up at once if there is no end yet
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}
     * @throws IllegalArgumentException if the limit is negative
     */
    T await(Duration limit);

    /**
     * Cancels this task alone; one that has not begun is dropped. It has then failed with the reason.
     *
     * @param reason what the task sees thrown
     */
    @Override
    void cancel(AsyncCancellation reason);
}
