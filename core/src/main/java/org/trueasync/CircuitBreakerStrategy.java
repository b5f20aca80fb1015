package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a {@link CircuitBreaker} changes its state: it is told how calls end and calls {@link CircuitBreaker#activate}, {@link CircuitBreaker#deactivate} or
 * {@link CircuitBreaker#recover}, also from inside a report. {@link RecoveryStrategy} has ready ones.
 *
 * <p>One strategy serves one breaker. Called on the thread of whoever uses the breaker; must not wait.
 */
public interface CircuitBreakerStrategy {
    /**
     * A call went well. In a pool: a resource came back in order.
     *
     * @param source the breaker
     */
    void reportSuccess(CircuitBreaker source);

    /**
     * A call failed. In a pool: {@code beforeRelease} refused a resource.
     *
     * @param source the breaker
     * @param error what it failed with
     */
    void reportFailure(CircuitBreaker source, Throwable error);

    /** Asked when a caller finds the breaker INACTIVE; true has it try again, that caller first. */
    boolean shouldRecover();

    /**
     * Asked when a caller finds the breaker RECOVERING. The default admits everybody.
     *
     * @param source the breaker
     * @return false to turn this caller away
     */
    default boolean admitsTrial(CircuitBreaker source) {
        return true;
    }

    /**
     * The factory of a pool failed: there was no call that could end. The default does nothing.
     *
     * @param source the pool
     * @param error what the factory threw
     */
    default void reportUnreachable(CircuitBreaker source, Throwable error) {}

    /**
     * The breaker has changed its state, by this or by hand. The default does nothing.
     *
     * @param source the breaker
     */
    default void stateChanged(CircuitBreaker source) {}

    /**
     * How long it will be until a caller is let through, as far as that is known: for messages, and for {@link CircuitBreaker#awaitAvailable()}. Not asked while the
     * breaker is ACTIVE.
     *
     * @param source the breaker
     * @return zero for now; null if it is not known, which is the default for an INACTIVE one
     */
    default @Nullable Duration retryIn(CircuitBreaker source) {
        return source.state() == CircuitBreakerState.INACTIVE ? null : Duration.ZERO;
    }
}
