package org.trueasync;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Guards something that may be out of order: a {@link Pool}, or calls of any kind ({@link GuardedCalls}). While it is out of order nobody is let through, so that
 * callers fail at once instead of queueing up and what is guarded can recover.
 *
 * <p>Changed by hand with the three methods here, or by a {@link CircuitBreakerStrategy}.
 *
 * <p>Loop thread only, if it is the one of a pool; {@link GuardedCalls} belong to whoever made them.
 */
public interface CircuitBreaker {
    /** In which of the three states it is. */
    CircuitBreakerState state();

    /** Lets everybody through. */
    void activate();

    /** Lets nobody through; who waits gets a {@link ServiceUnavailableException}. */
    void deactivate();

    /** Lets callers through on trial. */
    void recover();

    /**
     * How long it will be until a caller is let through, as far as that is known.
     *
     * @return zero for now; null if it is not known, as when it was deactivated by hand
     */
    default @Nullable Duration retryIn() {
        return state() == CircuitBreakerState.INACTIVE ? null : Duration.ZERO;
    }

    /**
     * Has somebody told of each change of the state from now on, in the order of the changes: in a coroutine of the main scope, which may wait; outside of a runtime in the
     * caller.
     *
     * @param listener gets the new state. What it throws is an error of its coroutine
     * @throws UnsupportedOperationException unless this is one of this library's
     */
    default void onStateChange(Consumer<? super CircuitBreakerState> listener) {
        throw new UnsupportedOperationException(getClass().getName() + " tells nobody of its changes");
    }

    /**
     * Waits until a caller may be let through: until it is not {@link CircuitBreakerState#INACTIVE} any more, or the time has come when it will be tried again. The next
     * call may be refused nevertheless, where more have waited than are let through on trial.
     *
     * @throws AsyncCancellation if this coroutine was cancelled
     * @throws UnsupportedOperationException unless this is one of this library's
     */
    default void awaitAvailable() {
        throw new UnsupportedOperationException(getClass().getName() + " can't be awaited");
    }

    /**
     * As {@link #awaitAvailable()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first
     */
    default void awaitAvailable(Completable<?> cancellation) {
        throw new UnsupportedOperationException(getClass().getName() + " can't be awaited");
    }
}
