package org.trueasync;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.pool.CallbackHooks;
import org.trueasync.internal.pool.PoolCore;
import org.trueasync.internal.pool.PoolSettings;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.Event;
import org.trueasync.spi.PoolHooks;

/**
 * Resources that are made once and used by many, so many at the same time as there may be: connections, for instance.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="pool" :
 * try (var pool = Pool.of(() -> connect(host))
 *         .destructor(Connection::close)
 *         .max(10)
 *         .build()) {
 *     String answer = pool.use(connection -> connection.ask("question"));
 * }
 * }
 *
 * <p>Whoever finds none free waits in the order of the calls. What a coroutine is woken for is its own: nobody slips in before it runs, and if it leaves instead, the
 * next one gets it. All callbacks may wait; what is inside one, or being made, counts as active, so there are never more than {@link Builder#max}.
 *
 * <p>Resources are told apart by identity. A resource that is dropped without being released is reported once the garbage collector has found it, and its place is
 * free again; it can't be destroyed any more.
 *
 * <p>A pool is a circuit breaker too: while it is {@link CircuitBreakerState#INACTIVE} nobody gets anything from it.
 *
 * <p>Loop thread only, except {@code activeCount}, {@code count}, {@code event}, {@code idleCount}, {@code isClosed}, {@code of}, {@code state}, {@code stats} and
 * {@code with}; for the coroutines of one runtime. A pool never keeps a run alive; one that is open at the end of the run is closed then.
 *
 * @param <R> type of the resources
 */
public final class Pool<R> implements CircuitBreaker, AutoCloseable {
    private final PoolCore<R> pool;

    private Pool(PoolCore<R> pool) {
        this.pool = pool;
    }

    /**
     * A pool of what a factory makes.
     *
     * @param factory called in the coroutine that needs a resource; may wait
     */
    public static <R> Builder<R> of(Callable<R> factory) {
        return new Builder<>(Objects.requireNonNull(factory, "factory"), null);
    }

    /**
     * A pool of what an extension makes: its hooks are called directly.
     *
     * @param hooks in place of all callbacks
     */
    public static <R> Builder<R> with(PoolHooks<R> hooks) {
        return new Builder<>(null, Objects.requireNonNull(hooks, "hooks"));
    }

    /**
     * Takes a resource: one that is idle, else a new one if there are less than {@link Builder#max}, else the first that is released after everybody has been served who
     * came earlier.
     *
     * @return the caller's until it is given to {@link #release} or {@link #discard}
     * @throws PoolException if the pool is closed
     * @throws ServiceUnavailableException if it is inactive, or becomes so meanwhile
     * @throws AsyncCancellation if this coroutine was cancelled; nothing is then taken
     * @throws RuntimeException what the factory throws, a checked exception as the cause of a {@link java.util.concurrent.CompletionException}; likewise the destructor of
     *     a resource that {@code beforeAcquire} has refused
     */
    public R acquire() {
        return acquire(0, null);
    }

    /**
     * As {@link #acquire()}, but waits no longer than this for others; the time that callbacks take does not count.
     *
     * @param timeout >= 0; zero for no limit, unlike other waits: what does not wait is {@link #tryAcquire}
     * @throws AsyncTimeoutException if nothing came free in time
     * @throws IllegalArgumentException if the timeout is negative
     */
    public R acquire(Duration timeout) {
        return acquire(TimeLimits.notNegative(timeout, "timeout").toNanos(), null);
    }

    /**
     * As {@link #acquire()}; gives up waiting for others when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first
     */
    public R acquire(Completable<?> cancellation) {
        return acquire(0, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #acquire(Duration)}; gives up waiting for others when the token ends.
     *
     * @param timeout >= 0; zero for no limit
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first
     * @throws AsyncTimeoutException if nothing came free in time
     */
    public R acquire(Duration timeout, Completable<?> cancellation) {
        return acquire(
                TimeLimits.notNegative(timeout, "timeout").toNanos(),
                Objects.requireNonNull(cancellation, "cancellation"));
    }

    private R acquire(long nanos, @Nullable Completable<?> cancellation) {
        try {
            return pool.acquire(nanos, cancellation);
        } finally {
            // who waits has it
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Takes a resource if that needs no waiting for others.
     *
     * @return null if nothing is free or everything is promised, if the pool is closed or inactive
     * @throws RuntimeException what the factory or a destructor throws
     */
    public @Nullable R tryAcquire() {
        try {
            return pool.tryAcquire();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Gives a resource back; any coroutine may do so for the one that acquired it. If {@code beforeRelease} refuses it, or throws an exception, it is destroyed. In a
     * closed pool it is destroyed.
     *
     * @param resource the object that {@link #acquire} returned
     * @throws IllegalStateException if it is not in use: somebody releases twice, or to another pool
     * @throws RuntimeException what the destructor or the circuit breaker's strategy throws; the resource is gone or idle then
     */
    public void release(R resource) {
        pool.release(resource);
    }

    /**
     * Takes a resource that is in use out of the pool and destroys it, without asking {@code beforeRelease} and without a report to the circuit breaker.
     *
     * @param resource the object that {@link #acquire} returned
     * @throws IllegalStateException if it is not in use
     * @throws RuntimeException what the destructor throws; the resource is gone then
     */
    public void discard(R resource) {
        pool.discard(resource);
    }

    /**
     * Acquires a resource, does something with it and releases it, whatever happens. What the work throws leaves this as it is.
     *
     * @param work may wait
     * @return the work's value
     * @throws X what the work throws
     */
    @SuppressWarnings("NullAway") // work may return null; T says whether it does
    public <T, X extends Exception> T use(PoolSection<R, T, X> work) throws X {
        Objects.requireNonNull(work, "work");
        R resource = acquire();
        T value;
        try {
            value = work.apply(resource);
        } catch (Throwable e) {
            try {
                release(resource);
            } catch (Throwable other) {
                Causes.suppress(e, other);
            }
            throw e;
        }
        release(resource);
        return value;
    }

    /**
     * As {@link #use(PoolSection)}, for work that is at hand.
     *
     * @param work may wait
     * @return the work's value
     * @throws Exception what the work throws
     */
    @SuppressWarnings("overloads") // a lambda may be either: both are run in the same way
    public <T> T use(PoolFunction<R, T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return use((PoolSection<R, T, Exception>) work::apply);
    }

    /** How many resources there are; those included that are being made, checked or destroyed. */
    public int count() {
        return pool.count();
    }

    /** How many are free. */
    public int idleCount() {
        return pool.idleCount();
    }

    /** How many are not: in use, promised to a coroutine that is about to run, or inside a callback. */
    public int activeCount() {
        return pool.count() - pool.idleCount();
    }

    /** A snapshot of the numbers. */
    public PoolStats stats() {
        return pool.stats();
    }

    @Override
    public CircuitBreakerState state() {
        return pool.state();
    }

    @Override
    public void activate() {
        pool.become(CircuitBreakerState.ACTIVE);
    }

    @Override
    public void deactivate() {
        pool.become(CircuitBreakerState.INACTIVE);
    }

    @Override
    public void recover() {
        pool.become(CircuitBreakerState.RECOVERING);
    }

    @Override
    public @Nullable Duration retryIn() {
        return pool.retryIn();
    }

    @Override
    public void onStateChange(Consumer<? super CircuitBreakerState> listener) {
        pool.onStateChange(listener);
    }

    @Override
    public void awaitAvailable() {
        pool.awaitAvailable(null);
    }

    @Override
    public void awaitAvailable(Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        pool.awaitAvailable(cancellation);
    }

    /**
     * Ends the pool: who waits gets a {@link PoolException}; what is idle is destroyed, in the order in which it would have been used; what is in use is destroyed when it
     * is released. Idempotent.
     *
     * @throws RuntimeException what a destructor throws, after all have been called; what others throw is suppressed in it
     */
    @Override
    public void close() {
        pool.shut();
    }

    /** True once {@link #close} has been called. */
    public boolean isClosed() {
        return pool.isShut();
    }

    /** The pool as an event: it fires when the pool is closed, and disposing of it closes the pool. Starting and stopping it do nothing. */
    public Event event() {
        return pool.event();
    }

    @Override
    public String toString() {
        return pool.info();
    }

    /**
     * Collects the settings of a pool. Belongs to whoever made it.
     *
     * @param <R> type of the resources
     */
    public static final class Builder<R> {
        private static final AtomicLong COUNTER = new AtomicLong();

        private final @Nullable Callable<R> factory;
        private final @Nullable PoolHooks<R> hooks;
        private @Nullable String name;
        private @Nullable Consumer<? super R> destructor;
        private @Nullable Predicate<? super R> healthcheck;
        private @Nullable Predicate<? super R> beforeAcquire;
        private @Nullable Predicate<? super R> beforeRelease;
        private @Nullable CircuitBreakerStrategy strategy;
        private int min;
        private int max = 10;
        private long healthcheckNanos;
        private boolean acquireSites;

        private Builder(@Nullable Callable<R> factory, @Nullable PoolHooks<R> hooks) {
            this.factory = factory;
            this.hooks = hooks;
        }

        /**
         * What messages call it. Default: a number.
         *
         * @param name any
         */
        public Builder<R> name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Ends a resource; called once for each, except those that are dropped without being released.
         *
         * @param destructor may wait; no cancellation and no time limit of the calling coroutine cuts it off, only a shutdown does
         */
        public Builder<R> destructor(Consumer<? super R> destructor) {
            this.destructor = callback(destructor, "destructor");
            return this;
        }

        /**
         * Looks at each idle resource every {@link #healthcheckInterval}: what it refuses, also by an exception, is destroyed; then new ones are made up to {@link #min}.
         *
         * @param healthcheck may wait
         */
        public Builder<R> healthcheck(Predicate<? super R> healthcheck) {
            this.healthcheck = callback(healthcheck, "healthcheck");
            return this;
        }

        /**
         * Looks at a resource that was used before, as it is about to be handed out: what it refuses, also by an exception, is destroyed and another one taken.
         *
         * @param beforeAcquire may wait
         */
        public Builder<R> beforeAcquire(Predicate<? super R> beforeAcquire) {
            this.beforeAcquire = callback(beforeAcquire, "beforeAcquire");
            return this;
        }

        /**
         * Looks at a resource that is released: what it refuses, also by an exception, is destroyed, which counts as a failure for the circuit breaker.
         *
         * @param beforeRelease may wait
         */
        public Builder<R> beforeRelease(Predicate<? super R> beforeRelease) {
            this.beforeRelease = callback(beforeRelease, "beforeRelease");
            return this;
        }

        private <C> C callback(C callback, String what) {
            if (hooks != null)
                throw new IllegalStateException("a pool with hooks takes no " + what + "; the hooks have one");
            return Objects.requireNonNull(callback, what);
        }

        /**
         * How many resources are made in advance and kept. Default 0.
         *
         * @param min 0 to max
         */
        public Builder<R> min(int min) {
            this.min = min;
            return this;
        }

        /**
         * How many resources there are at most. Default 10.
         *
         * @param max >= 1
         */
        public Builder<R> max(int max) {
            this.max = max;
            return this;
        }

        /**
         * How often idle resources are looked at. Default zero: never.
         *
         * @param interval >= 0
         */
        public Builder<R> healthcheckInterval(Duration interval) {
            this.healthcheckNanos =
                    TimeLimits.notNegative(interval, "healthcheckInterval").toNanos();
            return this;
        }

        /**
         * Has a strategy decide about the circuit breaker. Default: by hand only.
         *
         * @param strategy of this pool alone
         */
        public Builder<R> circuitBreaker(CircuitBreakerStrategy strategy) {
            this.strategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Whether each acquire remembers its line, for the report about a resource that was dropped; costs a stack walk each time. Default false: only the first acquire of
         * each resource does, where {@link AsyncRuntime.Builder#spawnSites} is on; all do from the first such report on.
         *
         * @param on true to remember
         */
        public Builder<R> acquireSites(boolean on) {
            this.acquireSites = on;
            return this;
        }

        /**
         * The pool, with {@link #min} resources in it.
         *
         * @throws IllegalArgumentException if min and max don't go together
         * @throws AsyncException outside a runtime
         * @throws RuntimeException what the factory throws; what it had made by then is destroyed
         */
        public Pool<R> build() {
            String called = name != null ? name : String.valueOf(COUNTER.incrementAndGet());
            var settings = new PoolSettings(called, min, max, healthcheckNanos, strategy, acquireSites);
            PoolHooks<R> calls = hooks != null
                    ? hooks
                    : new CallbackHooks<>(
                            Objects.requireNonNull(factory), destructor, healthcheck, beforeAcquire, beforeRelease);
            var core = new PoolCore<R>(
                    settings, calls, hooks != null || beforeAcquire != null, hooks != null || beforeRelease != null);
            var pool = new Pool<>(core);
            core.open(pool);
            core.watch(pool);
            return pool;
        }
    }
}
