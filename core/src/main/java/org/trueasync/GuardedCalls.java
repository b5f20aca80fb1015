package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.pool.Breaker;

/**
 * A circuit breaker on its own, around calls of any kind. While it is inactive, calls are refused at once. Its strategy
 * changes the state, depending on how the other calls end. A call that ends with an {@link AsyncCancellation}, for
 * instance because a token of its own ended, is not reported to the strategy.
 *
 * <p>Belongs to whoever made it: the coroutines of one runtime, or one thread.
 */
public final class GuardedCalls implements CircuitBreaker {
    private final String name;
    private final Breaker breaker;

    /**
     * Creates an active breaker.
     *
     * @param name shown in messages
     * @param strategy used by this breaker alone
     */
    public GuardedCalls(String name, CircuitBreakerStrategy strategy) {
        this.name = Objects.requireNonNull(name, "name");
        this.breaker = new Breaker(this.name, Objects.requireNonNull(strategy, "strategy"), () -> this, () -> {});
    }

    /**
     * Makes a call, if it is let through. What the work throws is thrown unchanged. If the strategy then throws too,
     * its error is suppressed in that of the work, or both are in a {@link CompositeException} if suppression is
     * disabled there. What the strategy throws after a call that has succeeded is thrown in place of the value.
     *
     * @param work may wait
     * @return the work's value
     * @throws X what the work throws
     * @throws ServiceUnavailableException if it is not let through
     */
    @SuppressWarnings("NullAway") // work may return null; T says whether it does
    public <T, X extends Exception> T call(Section<T, X> work) throws X {
        Objects.requireNonNull(work, "work");
        admit();
        T value;
        try {
            value = work.call();
        } catch (Throwable e) {
            throw Throwing.sneaky(failed(e));
        }
        breaker.success();
        return value;
    }

    private void admit() {
        if (!breaker.admits()) throw breaker.refusal("'" + name + "'");
    }

    private Throwable failed(Throwable error) {
        if (error instanceof AsyncCancellation) return error;
        try {
            breaker.failure(error);
            return error;
        } catch (Throwable other) {
            return Causes.joined(error, other);
        }
    }

    /**
     * As {@link #call(Section)}, for work without a result.
     *
     * @param work may wait
     * @throws X what the work throws
     */
    public <X extends Throwable> void call(VoidSection<X> work) throws X {
        Objects.requireNonNull(work, "work");
        admit();
        try {
            work.run();
        } catch (Throwable e) {
            throw Throwing.sneaky(failed(e));
        }
        breaker.success();
    }

    @Override
    public CircuitBreakerState state() {
        return breaker.state();
    }

    @Override
    public void activate() {
        breaker.activate();
    }

    @Override
    public void deactivate() {
        breaker.deactivate();
    }

    @Override
    public void recover() {
        breaker.recover();
    }

    @Override
    public @Nullable Duration retryIn() {
        return breaker.retryIn();
    }

    @Override
    public void onStateChange(Consumer<? super CircuitBreakerState> listener) {
        breaker.onStateChange(listener);
    }

    @Override
    public void awaitAvailable() {
        breaker.awaitAvailable(null, "GuardedCalls.awaitAvailable", () -> {});
    }

    @Override
    public void awaitAvailable(Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        breaker.awaitAvailable(cancellation, "GuardedCalls.awaitAvailable", () -> {});
    }

    @Override
    public String toString() {
        return "guarded calls " + breaker.describe();
    }
}
