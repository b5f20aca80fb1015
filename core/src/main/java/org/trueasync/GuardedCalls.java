package org.trueasync;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.internal.kernel.Tasks;
import org.trueasync.internal.kernel.Throwing;
import org.trueasync.internal.pool.Breaker;

/**
 * A circuit breaker on its own, around calls of any kind. While it is inactive calls are refused at once; how the others end is what its strategy decides by. A
 * call that is cancelled says nothing about what it went to.
 *
 * <p>For the coroutines of one runtime, or for one thread.
 */
public final class GuardedCalls implements CircuitBreaker {
    private final String name;
    private final Breaker breaker;

    /**
     * An active one.
     *
     * @param name what messages call it
     * @param strategy of this breaker alone
     */
    public GuardedCalls(String name, CircuitBreakerStrategy strategy) {
        this.name = Objects.requireNonNull(name, "name");
        this.breaker = new Breaker(this.name, Objects.requireNonNull(strategy, "strategy"), () -> this, () -> {});
    }

    /**
     * Makes a call, if it is let through.
     *
     * @param work may wait
     * @return the work's value
     * @throws ServiceUnavailableException if it is not let through
     * @throws RuntimeException what the work throws, a checked exception as the cause of a {@link java.util.concurrent.CompletionException}; what the strategy throws then
     *     is suppressed in it
     */
    @SuppressWarnings("NullAway") // work may return null; T says whether it does
    public <T> T call(Callable<T> work) {
        Objects.requireNonNull(work, "work");
        if (!breaker.admits()) throw breaker.refusal(toString());
        T value;
        try {
            value = work.call();
        } catch (AsyncCancellation e) {
            throw e;
        } catch (Throwable e) {
            try {
                breaker.failure(e);
            } catch (Throwable other) {
                if (other != e) e.addSuppressed(other);
            }
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        }
        breaker.success();
        return value;
    }

    /**
     * As {@link #call(Callable)}.
     *
     * @param work may wait
     */
    public void call(Body work) {
        call(Tasks.of(work));
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
    public String toString() {
        return "'" + name + "'";
    }
}
