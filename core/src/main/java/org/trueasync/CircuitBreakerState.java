package org.trueasync;

/**
 * The states of a {@link CircuitBreaker}.
 *
 * <p>Any thread.
 */
public enum CircuitBreakerState {
    /** In order: all calls are let through. */
    ACTIVE,
    /** Out of order: no call is let through. */
    INACTIVE,
    /** On trial: as many calls are let through as the strategy admits. */
    RECOVERING
}
