package org.trueasync;

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
}
