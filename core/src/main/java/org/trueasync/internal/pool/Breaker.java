package org.trueasync.internal.pool;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreaker;
import org.trueasync.CircuitBreakerState;
import org.trueasync.CircuitBreakerStrategy;
import org.trueasync.ServiceUnavailableException;

/** The state of a circuit breaker and who decides about it. */
public final class Breaker implements CircuitBreaker {
    private final String name;
    private final @Nullable CircuitBreakerStrategy strategy;
    /** What strategies are told as the source. */
    private final Supplier<? extends CircuitBreaker> source;

    private final Runnable changed;
    private CircuitBreakerState state = CircuitBreakerState.ACTIVE;

    /**
     * An active one.
     *
     * @param name for people
     * @param strategy changes its state, or null
     * @param source what users have of it
     * @param changed told after the state has changed
     */
    public Breaker(
            String name,
            @Nullable CircuitBreakerStrategy strategy,
            Supplier<? extends CircuitBreaker> source,
            Runnable changed) {
        this.name = name;
        this.strategy = strategy;
        this.source = source;
        this.changed = changed;
    }

    @Override
    public CircuitBreakerState state() {
        return state;
    }

    /**
     * Changes its state.
     *
     * @param next any
     */
    public void become(CircuitBreakerState next) {
        if (state == next) return;
        PoolRecords.changed(name, state, next);
        state = next;
        changed.run();
    }

    @Override
    public void activate() {
        become(CircuitBreakerState.ACTIVE);
    }

    @Override
    public void deactivate() {
        become(CircuitBreakerState.INACTIVE);
    }

    @Override
    public void recover() {
        become(CircuitBreakerState.RECOVERING);
    }

    boolean isActive() {
        return state == CircuitBreakerState.ACTIVE;
    }

    boolean isInactive() {
        return state == CircuitBreakerState.INACTIVE;
    }

    boolean hasStrategy() {
        return strategy != null;
    }

    /** True if one more caller may go through; asks the strategy where that is in doubt. */
    public boolean admits() {
        if (isActive()) return true;
        if (isInactive()) {
            if (strategy == null || !strategy.shouldRecover()) return false;
            // the strategy may have changed it itself
            if (isInactive()) become(CircuitBreakerState.RECOVERING);
            if (isActive()) return true;
        }
        return strategy == null || (strategy.admitsTrial(source.get()) && !isInactive());
    }

    /** A call went well. */
    public void success() {
        if (strategy != null) strategy.reportSuccess(source.get());
    }

    /**
     * A call failed.
     *
     * @param error with this
     */
    public void failure(Throwable error) {
        if (strategy != null) strategy.reportFailure(source.get(), error);
    }

    void unreachable(Throwable error) {
        if (strategy != null) strategy.reportUnreachable(source.get(), error);
    }

    /**
     * What they get who are not let through.
     *
     * @param info what is guarded
     */
    public ServiceUnavailableException refusal(String info) {
        return new ServiceUnavailableException(
                info + " is unavailable: its circuit breaker is " + state + "; try again later, or call activate()");
    }
}
