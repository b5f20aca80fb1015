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

/** The state of a circuit breaker, with the strategy that decides about it. */
public final class Breaker implements CircuitBreaker {
    private final String name;
    private final @Nullable CircuitBreakerStrategy strategy;
    /** The supplier of the object that strategies get as the source. */
    private final Supplier<? extends CircuitBreaker> source;

    private final Runnable changed;
    private CircuitBreakerState state = CircuitBreakerState.ACTIVE;
    private final List<Consumer<? super CircuitBreakerState>> listeners = new ArrayList<>(0);
    private final BreakerChange change = new BreakerChange(this);

    /**
     * Creates a breaker that is ACTIVE.
     *
     * @param name its name in messages
     * @param strategy decides about its state, or null
     * @param source supplies the object that strategies get as the source
     * @param changed called after a change of the state, before waiters and listeners are told
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
     * Changes the state; does nothing if it is the same already.
     *
     * @param next the new state
     */
    public void become(CircuitBreakerState next) {
        if (state == next) return;
        PoolRecords.changed(name, state, next);
        state = next;
        if (strategy != null) strategy.stateChanged(source.get());
        changed.run();
        change.fire();
        if (listeners.isEmpty()) return;
        for (Consumer<? super CircuitBreakerState> listener : List.copyOf(listeners)) notifyListener(listener, next);
    }

    /**
     * Calls a listener in a coroutine of its own, because the listener is user code and unrelated to the caller that
     * has changed the state. Outside of a runtime the listener is called directly.
     */
    private static void notifyListener(Consumer<? super CircuitBreakerState> listener, CircuitBreakerState next) {
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
     * @param call the waiting call, for messages
     * @param requireOpen throws if there is nothing to wait for any more, because the pool was closed
     */
    public void awaitAvailable(@Nullable Completable<?> token, String call, Runnable requireOpen) {
        change.awaitAvailable(token, call, requireOpen);
    }

    /** Wakes the waiters at the end of the pool; they find out why by themselves. */
    void poolClosed() {
        change.fire();
    }

    /** See {@link CircuitBreaker#retryIn}. */
    @Override
    public @Nullable Duration retryIn() {
        if (isActive()) return Duration.ZERO;
        if (strategy != null) return strategy.retryIn(source.get());
        return isInactive() ? null : Duration.ZERO;
    }

    /** Returns the name, the state, and when the breaker tries again, for messages. */
    public String describe() {
        return "'" + name + "', " + state + prospect(retryIn());
    }

    private String prospect(@Nullable Duration untilRetry) {
        if (isActive()) return "";
        if (untilRetry == null) return isInactive() ? " until it is activated by hand" : "";
        if (untilRetry.isPositive()) return ", tries again in " + shown(untilRetry);
        return isInactive() ? ", tries again with the next call" : "";
    }

    /** Returns a time as text, rounded up, so that it is never shown as 0 ms. */
    private static String shown(Duration time) {
        return time.toSeconds() >= 1_000_000
                ? time.toString()
                : time.plusNanos(999_999).toMillis() + " ms";
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

    /**
     * True if one more call is admitted. Asks the strategy if the state alone does not decide. May change the state
     * from INACTIVE to RECOVERING.
     */
    public boolean admits() {
        if (isActive()) return true;
        if (isInactive()) {
            if (strategy == null || !strategy.shouldRecover()) return false;
            // the strategy may have changed the state itself
            if (isInactive()) become(CircuitBreakerState.RECOVERING);
            if (isActive()) return true;
        }
        return strategy == null || (strategy.admitsTrial(source.get()) && !isInactive());
    }

    public void success() {
        if (strategy != null) strategy.reportSuccess(source.get());
    }

    /**
     * Reports a call that has failed.
     *
     * @param error its error
     */
    public void failure(Throwable error) {
        if (strategy != null) strategy.reportFailure(source.get(), error);
    }

    void unreachable(Throwable error) {
        if (strategy != null) strategy.reportUnreachable(source.get(), error);
    }

    /**
     * Returns the exception of a call that is not admitted.
     *
     * @param info one line about what the breaker guards, for the message
     */
    public ServiceUnavailableException refusal(String info) {
        Duration untilRetry = retryIn();
        String wayOut = isInactive() && untilRetry == null
                ? "call activate() to let calls through"
                : "awaitAvailable() waits for that, activate() lets calls through at once";
        return new ServiceUnavailableException(
                info + " is unavailable: its circuit breaker is " + state + prospect(untilRetry) + "; " + wayOut,
                untilRetry);
    }
}
