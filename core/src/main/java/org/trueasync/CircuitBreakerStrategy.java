package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a {@link CircuitBreaker} changes its state: it gets a report of how each call ends, and calls
 * {@link CircuitBreaker#activate}, {@link CircuitBreaker#deactivate} or {@link CircuitBreaker#recover}, also inside a
 * report. {@link RecoveryStrategy} has ready-made strategies.
 *
 * <p>One strategy serves one breaker. Called on the thread of whoever uses the breaker; must not wait.
 */
public interface CircuitBreakerStrategy {
    /**
     * Reports a call that succeeded. In a pool: a resource was released and not refused.
     *
     * @param source the breaker
     */
    void reportSuccess(CircuitBreaker source);

    /**
     * Reports a call that failed. In a pool: {@code beforeRelease} refused a resource.
     *
     * @param source the breaker
     * @param error what it failed with
     */
    void reportFailure(CircuitBreaker source, Throwable error);

    /** Called when a caller finds the breaker INACTIVE. True begins the trial, with that caller as the first one. */
    boolean shouldRecover();

    /**
     * Called when a caller finds the breaker RECOVERING. The default admits all.
     *
     * @param source the breaker
     * @return false to turn this caller away
     */
    default boolean admitsTrial(CircuitBreaker source) {
        return true;
    }

    /**
     * Reports that the factory of a pool failed, so that there was no call whose end could be reported. The default
     * does nothing.
     *
     * @param source the pool
     * @param error what the factory threw
     */
    default void reportUnreachable(CircuitBreaker source, Throwable error) {}

    /**
     * Reports that the breaker has changed its state, by this strategy or by a call. The default does nothing.
     *
     * @param source the breaker
     */
    default void stateChanged(CircuitBreaker source) {}

    /**
     * Returns the time until a call is let through, if it is known: for messages, and for
     * {@link CircuitBreaker#awaitAvailable()}. Not called while the breaker is ACTIVE.
     *
     * @param source the breaker
     * @return zero for now; null if it is not known, which is the default for an INACTIVE one
     */
    default @Nullable Duration retryIn(CircuitBreaker source) {
        return source.state() == CircuitBreakerState.INACTIVE ? null : Duration.ZERO;
    }
}
