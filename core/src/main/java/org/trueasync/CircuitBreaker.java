package org.trueasync;

/**
 * Guards something that may be out of order: a {@link Pool}, or calls of any kind ({@link GuardedCalls}). While it is out of order nobody is let through, so that
 * callers fail at once instead of queueing up and what is guarded can recover.
 *
 * <p>Changed by hand with the three methods here, or by a {@link CircuitBreakerStrategy}.
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
}
