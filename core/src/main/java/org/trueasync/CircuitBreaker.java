package org.trueasync;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Guards something that may be out of order: a {@link Pool}, or calls of any kind ({@link GuardedCalls}). While it is
 * out of order no call is let through, so that callers fail at once instead of queueing up, and the guarded service can
 * recover.
 *
 * <p>Its state is changed by calls of the three methods here, or by a {@link CircuitBreakerStrategy}.
 *
 * <p>Loop thread only, if it is the one of a pool; {@link GuardedCalls} belong to whoever made them.
 */
public interface CircuitBreaker {
    /** Returns its state. */
    CircuitBreakerState state();

    /** Lets all calls through. */
    void activate();

    /** Lets no call through. In a pool, calls that wait for a resource throw a {@link ServiceUnavailableException}. */
    void deactivate();

    /** Lets calls through on trial. */
    void recover();

    /**
     * Returns the time until a call is let through, if it is known.
     *
     * @return zero for now; null if it is not known, as when it was deactivated by a call
     */
    default @Nullable Duration retryIn() {
        return state() == CircuitBreakerState.INACTIVE ? null : Duration.ZERO;
    }

    /**
     * Registers a listener for each change of the state from now on. For each change it is called in a new coroutine of
     * the main scope, in the order of the changes, and may wait. Outside a runtime the code that changes the state
     * calls it.
     *
     * @param listener gets the new state; what it throws is an error of its coroutine
     * @throws UnsupportedOperationException unless this is a breaker of this library
     */
    default void onStateChange(Consumer<? super CircuitBreakerState> listener) {
        throw new UnsupportedOperationException(getClass().getName() + " tells nobody of its changes");
    }

    /**
     * Waits until a call may be let through, that is, until {@link #retryIn()} is zero: the breaker is active, or it is
     * time for a trial. The next call may be refused nevertheless, if more callers waited than are let through on
     * trial.
     *
     * @throws AsyncCancellation if this coroutine was cancelled
     * @throws PoolException if this is a pool that is closed, or is closed during the wait
     * @throws UnsupportedOperationException unless this is a breaker of this library
     */
    default void awaitAvailable() {
        throw new UnsupportedOperationException(getClass().getName() + " can't be awaited");
    }

    /**
     * As {@link #awaitAvailable()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    default void awaitAvailable(Completable<?> cancellation) {
        throw new UnsupportedOperationException(getClass().getName() + " can't be awaited");
    }
}
