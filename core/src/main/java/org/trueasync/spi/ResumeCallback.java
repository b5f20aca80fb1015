package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a waker does when one of its events fires. The rules of {@link EventCallback#onEvent} apply. The three constants
 * cover nearly all uses.
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface ResumeCallback {
    /** Wakes with the event's value, or throws its error at the suspension point. */
    ResumeCallback RESOLVE = (waker, event, result, error) -> {
        if (error != null) waker.wakeWithError(error);
        else waker.wake(result);
    };

    /** Wakes with an {@link org.trueasync.OperationCanceledException}; the event's error, if any, becomes its cause. */
    ResumeCallback CANCEL = (waker, event, result, error) -> waker.wakeWithError(
            new org.trueasync.OperationCanceledException("the wait was given up: " + event.info(), error));

    /**
     * Wakes with the event's error, which for a {@code Timeout} is an {@link org.trueasync.AsyncTimeoutException};
     * without an error, with a new {@link org.trueasync.AsyncTimeoutException}.
     */
    ResumeCallback TIMEOUT = (waker, event, result, error) -> waker.wakeWithError(
            error != null ? error : new org.trueasync.AsyncTimeoutException(java.time.Duration.ZERO));

    /**
     * Decides what the event means for the waiting coroutine. It need not wake the coroutine: a wait for all of several
     * events wakes at the last one.
     *
     * @param waker the waiting coroutine's waker
     * @param event which event fired
     * @param result its value, or null
     * @param error its error, or null
     */
    void onEvent(Waker waker, Event event, @Nullable Object result, @Nullable Throwable error);
}
