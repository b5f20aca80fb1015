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
import org.trueasync.internal.error.Names;
import org.trueasync.internal.pool.CallbackHooks;
import org.trueasync.internal.pool.PoolCore;
import org.trueasync.internal.pool.PoolSettings;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.Event;
import org.trueasync.spi.PoolHooks;

/**
 * Resources that are made once and used by many coroutines: connections, for instance. Each is used by one coroutine at
 * a time, and there are at most {@link Builder#max} of them.
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
 * <p>A coroutine that finds none free waits in the order of the calls. The resource for which it is woken is reserved:
 * no other coroutine takes it before that coroutine runs, and if it leaves instead, the next waiter gets it. All
 * callbacks may wait. A resource that is in a callback or being made counts as active, so the limit of
 * {@link Builder#max} includes it.
 *
 * <p>Resources are compared by identity. A resource that becomes unreachable without being released is reported once
 * the garbage collector has found it, and its place is free again; its destructor can't be called any more.
 *
 * <p>A pool is a circuit breaker too: while it is {@link CircuitBreakerState#INACTIVE} it hands out no resources.
 *
 * <p>Loop thread only, except {@code activeCount}, {@code count}, {@code event}, {@code idleCount}, {@code isClosed},
 * {@code of}, {@code state}, {@code stats} and {@code with}; for the coroutines of one runtime. A pool never keeps a
 * run alive; one that is open at the end of the run is closed then. One that becomes unreachable without having been
 * closed is reported and closed.
 *
 * @param <R> type of the resources
 */
public final class Pool<R> implements CircuitBreaker, AutoCloseable {
    private final PoolCore<R> pool;

    private Pool(PoolCore<R> pool) {
        this.pool = pool;
    }

    /**
     * Returns a builder of a pool of resources that a factory makes.
     *
     * @param factory called in the coroutine that needs a resource; may wait
     */
    public static <R> Builder<R> of(Callable<R> factory) {
        return new Builder<>(Objects.requireNonNull(factory, "factory"), null);
    }

    /**
     * Returns a builder of a pool of resources that an extension makes: its hooks are called directly.
     *
     * @param hooks called in place of all callbacks
     */
    public static <R> Builder<R> with(PoolHooks<R> hooks) {
        return new Builder<>(null, Objects.requireNonNull(hooks, "hooks"));
    }

    /**
     * Takes a resource: an idle one; else a new one if there are fewer than {@link Builder#max}; else it waits, after
     * the earlier callers, for one to be released.
     *
     * @return the resource, which the caller has until it calls {@link #release} or {@link #discard}
     * @throws PoolException if the pool is closed before the call or meanwhile, or if its factory returned null or a
     *     resource that the pool has already
     * @throws ServiceUnavailableException if the pool is inactive or becomes so meanwhile, or if it is recovering and
     *     its strategy admits no more trial calls
     * @throws AsyncCancellation if this coroutine was cancelled; nothing is then taken
     * @throws RuntimeException what the factory throws, a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}; likewise what the destructor throws of a resource that
     *     {@code beforeAcquire} has refused
     */
    public R acquire() {
        return acquire(0, null);
    }

    /**
     * As {@link #acquire()}, but waits no longer than this for a resource to come free; the time that callbacks take
     * does not count.
     *
     * @param timeout >= 0; zero for no limit, unlike in other waits: {@link #tryAcquire} is the call that does not wait
     * @throws AsyncTimeoutException if nothing came free in time
     * @throws IllegalArgumentException if the timeout is negative
     */
    public R acquire(Duration timeout) {
        return acquire(TimeLimits.notNegative(timeout, "timeout").toNanos(), null);
    }

    /**
     * As {@link #acquire()}; gives up waiting for a free resource when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if a resource is
     *     free
     */
    public R acquire(Completable<?> cancellation) {
        return acquire(0, Objects.requireNonNull(cancellation, "cancellation"));
    }

    private R acquire(long nanos, @Nullable Completable<?> cancellation) {
        try {
            return pool.acquire(nanos, cancellation);
        } finally {
            // the pool must stay reachable while a coroutine waits for it
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Takes a resource if one is idle, or if one can be made because there are fewer than {@link Builder#max} and no
     * coroutine waits. Callbacks may wait.
     *
     * @return null if none is idle and none can be made, or if the pool is closed or lets no call through
     * @throws PoolException if the pool was closed while a callback waited, or if its factory returned null or a
     *     resource that the pool has already
     * @throws RuntimeException what the factory or a destructor throws, as for {@link #acquire()}
     */
    public @Nullable R tryAcquire() {
        try {
            return pool.tryAcquire();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Gives a resource back; any coroutine may do so for the one that acquired it. The resource is destroyed if
     * {@code beforeRelease} refuses it or throws, and if the pool is closed. An exception of {@code beforeRelease} only
     * refuses the resource; an {@link Error}, a cancellation included, is thrown here.
     *
     * @param resource the object that {@link #acquire} returned
     * @throws IllegalStateException if it is not in use: it was released twice, or belongs to another pool
     * @throws RuntimeException what the destructor or the circuit breaker's strategy throws; the resource is destroyed
     *     then, or idle, or with the next waiter
     */
    public void release(R resource) {
        pool.release(resource);
    }

    /**
     * Takes a resource that is in use out of the pool and destroys it, without a call of {@code beforeRelease} and
     * without a report to the circuit breaker.
     *
     * @param resource the object that {@link #acquire} returned
     * @throws IllegalStateException if it is not in use
     * @throws RuntimeException what the destructor throws; the resource is out of the pool then
     */
    public void discard(R resource) {
        pool.discard(resource);
    }

    /**
     * Acquires a resource, does something with it and releases it in any case. What the work throws is thrown
     * unchanged.
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
     * As {@link #use(PoolSection)}, for work without a result: {@code pool.use(connection -> { connection.ping(); })}.
     *
     * @param work may wait; a lambda in braces, or a method reference
     * @throws X what the work throws
     */
    @SuppressWarnings("overloads") // the compiler prefers the form with a result, where both fit
    public <X extends Exception> void use(VoidPoolSection<R, X> work) throws X {
        Objects.requireNonNull(work, "work");
        PoolSection<R, Boolean, X> section = resource -> {
            work.accept(resource);
            return true;
        };
        use(section);
    }

    /**
     * As {@link #use(PoolSection)}, for work that is in a variable already.
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

    /** Returns how many resources there are, including those that are being made, checked or destroyed. */
    public int count() {
        return pool.count();
    }

    /** Returns how many are free. */
    public int idleCount() {
        return pool.idleCount();
    }

    /** Returns how many are not free: in use, reserved for a coroutine that was woken, or in a callback. */
    public int activeCount() {
        return pool.count() - pool.idleCount();
    }

    /** Returns a snapshot of the counts. */
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
     * Ends the pool. Calls of {@code acquire} and {@code awaitAvailable} that wait throw a {@link PoolException}. Idle
     * resources are destroyed, in the order in which they would have been used; a resource in use is destroyed when it
     * is released. Idempotent.
     *
     * @throws RuntimeException what a destructor throws, after all have been called; errors of further destructors are
     *     suppressed in it
     */
    @Override
    public void close() {
        pool.close();
    }

    /** True once the pool is closed: by {@link #close}, by its {@link #event}, or at the end of the run. */
    public boolean isClosed() {
        return pool.isClosed();
    }

    /**
     * Returns the pool as an event: it fires when the pool is closed, and disposing of it closes the pool. Starting or
     * stopping it does nothing.
     */
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
         * Sets the name that messages show. Default: a number.
         *
         * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name
         *     is none
         */
        public Builder<R> name(String name) {
            this.name = Names.readable(name);
            return this;
        }

        /**
         * Sets what destroys a resource; called once for each, except for those that became unreachable without being
         * released.
         *
         * @param destructor may wait; no cancellation or time limit of the calling coroutine interrupts it, only a
         *     shutdown does
         */
        public Builder<R> destructor(Consumer<? super R> destructor) {
            this.destructor = callback(destructor, "destructor");
            return this;
        }

        /**
         * Sets a check of each idle resource, made every {@link #healthcheckInterval}; without an interval it is never
         * made. A resource for which it returns false or throws is destroyed. After a round of checks new resources are
         * made up to {@link #min}.
         *
         * @param healthcheck may wait
         */
        public Builder<R> healthcheck(Predicate<? super R> healthcheck) {
            this.healthcheck = callback(healthcheck, "healthcheck");
            return this;
        }

        /**
         * Sets a check of a resource that is about to be handed out, unless it was made for this very call. If it
         * returns false or throws an exception, the resource is destroyed and another one taken. If it throws an
         * {@link Error}, a cancellation included, the resource is destroyed and the error thrown.
         *
         * @param beforeAcquire may wait
         */
        public Builder<R> beforeAcquire(Predicate<? super R> beforeAcquire) {
            this.beforeAcquire = callback(beforeAcquire, "beforeAcquire");
            return this;
        }

        /**
         * Sets a check of a resource that is released. If it returns false or throws, the resource is destroyed, which
         * counts as a failure for the circuit breaker.
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
         * Sets how many resources are made in advance. If some of them are destroyed later, others are made in their
         * place at the next {@linkplain #healthcheckInterval health check}. Default 0.
         *
         * @param min 0 to max
         */
        public Builder<R> min(int min) {
            this.min = min;
            return this;
        }

        /**
         * Sets how many resources there are at most. Default 10.
         *
         * @param max >= 1
         */
        public Builder<R> max(int max) {
            this.max = max;
            return this;
        }

        /**
         * Sets how often idle resources are checked, and new ones made up to {@link #min}. Default zero: never.
         *
         * @param interval >= 0
         * @throws IllegalArgumentException if it is negative
         */
        public Builder<R> healthcheckInterval(Duration interval) {
            this.healthcheckNanos =
                    TimeLimits.notNegative(interval, "healthcheckInterval").toNanos();
            return this;
        }

        /**
         * Sets a strategy that switches the circuit breaker. Default: none, so that only calls switch it.
         *
         * @param strategy used by this pool alone
         */
        public Builder<R> circuitBreaker(CircuitBreakerStrategy strategy) {
            this.strategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Sets whether each acquire records its line, for the report about a resource that was not released; costs a
         * stack walk each time. Default false: only the first acquire of each resource does, if
         * {@link AsyncRuntime.Builder#spawnSites} is on; from the first such report on, all do.
         *
         * @param on true to record
         */
        public Builder<R> acquireSites(boolean on) {
            this.acquireSites = on;
            return this;
        }

        /**
         * Creates the pool, with {@link #min} resources in it.
         *
         * @throws IllegalArgumentException if max is below 1, or min is not 0 to max
         * @throws AsyncException outside a runtime
         * @throws PoolException if the factory returned null or a resource that the pool has already
         * @throws RuntimeException what the factory throws, a checked exception as the cause of a
         *     {@link java.util.concurrent.CompletionException}; resources made by then are destroyed
         */
        public Pool<R> build() {
            String shownName = name != null ? name : String.valueOf(COUNTER.incrementAndGet());
            var settings = new PoolSettings(shownName, min, max, healthcheckNanos, strategy, acquireSites);
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
