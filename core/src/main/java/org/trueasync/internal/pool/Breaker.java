package org.trueasync.internal.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreaker;
import org.trueasync.CircuitBreakerState;
import org.trueasync.CircuitBreakerStrategy;
import org.trueasync.Completable;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** The state of a circuit breaker and who decides about it. */
public final class Breaker implements CircuitBreaker {
    private final String name;
    private final @Nullable CircuitBreakerStrategy strategy;
    /** What strategies are told as the source. */
    private final Supplier<? extends CircuitBreaker> source;

    private final Runnable changed;
    private CircuitBreakerState state = CircuitBreakerState.ACTIVE;
    private final List<Consumer<? super CircuitBreakerState>> listeners = new ArrayList<>(0);
    private final BreakerChange change = new BreakerChange(this);

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
        if (strategy != null) strategy.stateChanged(source.get());
        changed.run();
        change.fire();
        if (listeners.isEmpty()) return;
        for (Consumer<? super CircuitBreakerState> listener : List.copyOf(listeners)) tell(listener, next);
    }

    /** In a coroutine of its own, as it is the user's code, and whoever has changed the state has nothing to do with it; outside of a runtime there is none. */
    private static void tell(Consumer<? super CircuitBreakerState> listener, CircuitBreakerState next) {
        Loop here = Runtimes.hereOrNull();
        if (here == null) listener.accept(next);
        else here.continueWith(() -> listener.accept(next));
    }

    /** See {@link CircuitBreaker#onStateChange}. */
    @Override
    public void onStateChange(Consumer<? super CircuitBreakerState> listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * See {@link CircuitBreaker#awaitAvailable(Completable)}.
     *
     * @param token gives the wait up, or null
     * @param call for messages
     * @param requireOpen throws once there is nothing to wait for any more
     */
    public void awaitAvailable(@Nullable Completable<?> token, String call, Runnable requireOpen) {
        change.awaitAvailable(token, call, requireOpen);
    }

    /** What is waited for is over: who waits looks for himself. */
    void ends() {
        change.fire();
    }

    /** See {@link CircuitBreaker#retryIn}. */
    @Override
    public @Nullable Duration retryIn() {
        if (isActive()) return Duration.ZERO;
        if (strategy != null) return strategy.retryIn(source.get());
        return isInactive() ? null : Duration.ZERO;
    }

    /** The name, the state, and what happens next, for a person to read. */
    public String describe() {
        return "'" + name + "', " + state + prospect(retryIn());
    }

    private String prospect(@Nullable Duration left) {
        if (isActive()) return "";
        if (left == null) return isInactive() ? " until it is activated by hand" : "";
        if (left.isPositive()) return ", tries again in " + shown(left);
        return isInactive() ? ", tries again with the next call" : "";
    }

    /** Rounded up: what is still ahead is not 0 ms. */
    private static String shown(Duration left) {
        return left.toSeconds() >= 1_000_000
                ? left.toString()
                : left.plusNanos(999_999).toMillis() + " ms";
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
        Duration left = retryIn();
        String wayOut = isInactive() && left == null
                ? "call activate() to let calls through"
                : "awaitAvailable() waits for that, activate() lets calls through at once";
        return new ServiceUnavailableException(
                info + " is unavailable: its circuit breaker is " + state + prospect(left) + "; " + wayOut, left);
    }
}
