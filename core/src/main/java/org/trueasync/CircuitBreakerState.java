package org.trueasync;

/**
 * The states of a {@link CircuitBreaker}.
 *
 * <p>Any thread.
 */
public enum CircuitBreakerState {
    /** All is well: everybody is let through. */
    ACTIVE,
    /** Out of order: nobody is let through. */
    INACTIVE,
    /** On trial: callers are let through, as many as the strategy admits. */
    RECOVERING
}
