package org.trueasync.internal.pool;

import org.trueasync.CircuitBreaker;
import org.trueasync.CircuitBreakerState;

/** The breaker of a pool whose handle nobody has any more, for strategies. */
record Unheld(Breaker breaker) implements CircuitBreaker {
    @Override
    public CircuitBreakerState state() {
        return breaker.state();
    }

    @Override
    public void activate() {
        breaker.become(CircuitBreakerState.ACTIVE);
    }

    @Override
    public void deactivate() {
        breaker.become(CircuitBreakerState.INACTIVE);
    }

    @Override
    public void recover() {
        breaker.become(CircuitBreakerState.RECOVERING);
    }
}
