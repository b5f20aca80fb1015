package org.trueasync.internal.pool;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreaker;
import org.trueasync.CircuitBreakerState;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.PoolException;
import org.trueasync.PoolStats;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.recorder.PoolEvents.Begun;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Event;
import org.trueasync.spi.PoolHooks;

/*
 * A pool. Loop thread only.
 *
 * A PERMIT is the right to have one resource; there are 'max' of them and 'count' are taken. A permit is taken before
 * the factory runs and freed after the destructor has returned, so the limit of 'max' also holds while a hook waits. An
 * acquire holds a permit, with a resource or empty, as soon as it need not wait any more. It ends by handing the
 * resource out, or it fails and gives the permit up.
 *
 * A wake only queues a coroutine. Until it runs, what it was promised is reserved for it: a resource, or an empty
 * permit. If it leaves instead, the reservation goes to the coroutine that waits longest, or back to the pool if none
 * waits. A closed pool destroys the resource.
 *
 * Invariant: if a coroutine waits, nothing is idle, all permits are taken, and the pool is open and not INACTIVE.
 */
public final class PoolCore<R> {
    final Loop loop;
    final PoolSettings settings;
    final PoolHooks<R> hooks;
    final IdleRing<R> idle = new IdleRing<>();
    final Breaker breaker;
    private final PoolWaitQueue<R> waiters = new PoolWaitQueue<>(this);
    private final LeakWatch<R> leaks;
    final ResourceStore<R> store;
    private final @Nullable HealthCheck<R> healthCheck;
    final boolean checksBeforeAcquire;
    private final Search<R> search = new Search<>(this);
    private final Releases<R> releases;
    /** True if a hook or the breaker's strategy has to see each resource that comes back. */
    private final boolean needsSettling;

    private final PoolEnd event = new PoolEnd(this);
    /** The user's handle, which strategies get as the source. Only the user keeps it reachable. */
    private WeakReference<? extends CircuitBreaker> handle = new WeakReference<>(null);

    /** The registered action that closes the pool at the end of the run. */
    private @Nullable Object end;

    private int count;
    private boolean closed;
    private boolean endedWithRun;
    /** True if an idle resource may be taken without any check. */
    private boolean acquiresUnchecked;
    /** True if a released resource may be lent again without any check. */
    private boolean releasesUnchecked;

    private boolean recordsSites;
    private long acquired;
    /** The slot that was lent last. It most likely comes back first, and is then found without the table. */
    private @Nullable Slot<R> lentLast;

    /**
     * Creates an empty pool.
     *
     * @param settings its settings
     * @param hooks its hooks
     * @param acquireHook true if {@code beforeAcquire} has to be called
     * @param releaseHook true if {@code beforeRelease} has to be called
     */
    public PoolCore(PoolSettings settings, PoolHooks<R> hooks, boolean acquireHook, boolean releaseHook) {
        this.loop = Runtimes.here("Pool.build");
        this.settings = settings;
        this.hooks = hooks;
        this.checksBeforeAcquire = acquireHook;
        this.recordsSites = settings.acquireSites();
        this.breaker = new Breaker(settings.name(), settings.strategy(), this::source, this::stateChanged);
        this.releases = new Releases<>(this, releaseHook);
        this.needsSettling = releaseHook || breaker.hasStrategy();
        this.leaks = new LeakWatch<>(this);
        this.store = new ResourceStore<>(this, leaks);
        this.healthCheck = settings.healthcheckNanos() == 0 ? null : new HealthCheck<>(this);
        updateUnchecked();
    }

    /**
     * Makes the first resources and starts the health check. If the factory fails, the pool is closed, which destroys
     * the resources made before, and the error is thrown.
     *
     * @param user the user's handle of the pool
     */
    public void open(CircuitBreaker user) {
        handle = new WeakReference<>(user);
        end = loop.atEnd(this::runEnds);
        try {
            while (count < settings.min() && !closed) addIdle();
        } catch (Throwable e) {
            try {
                close();
            } catch (Throwable other) {
                Causes.suppress(e, other);
            }
            throw e;
        }
        if (healthCheck != null && !closed) healthCheck.start();
    }

    private CircuitBreaker source() {
        CircuitBreaker user = handle.get();
        return user != null ? user : breaker;
    }

    // ---- acquiring

    /**
     * Acquires a resource; waits behind earlier callers.
     *
     * @param nanos the longest wait in nanoseconds, 0 for no limit
     * @param token gives the wait up, or null
     */
    public R acquire(long nanos, @Nullable Completable<?> token) {
        loop.requireLoopThread("Pool.acquire");
        if (token != null) Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        if (acquiresUnchecked) {
            Slot<R> slot = idle.poll();
            if (slot != null) return othersTurn ? afterOthers(slot) : lend(slot);
        }
        requireUsable();
        if (!hasRoom()) return handOut(awaitPromise(nanos, token));
        Slot<R> slot = takeIdleOrPermit();
        return othersTurn ? afterOthers(slot) : handOut(slot);
    }

    /** Lets other coroutines run first. The caller has its permit already, so the order of the calls is kept. */
    private R afterOthers(@Nullable Slot<R> slot) {
        loop.giveWay();
        if (!closed && breaker.isInactive()) {
            Throwable refusal = unavailable();
            passOn(slot, refusal);
            throw Throwing.sneaky(refusal);
        }
        return handOut(slot);
    }

    /** Acquires as {@link #acquire} does; null where that would wait, or throw because of the pool's state. */
    public @Nullable R tryAcquire() {
        loop.requireLoopThread("Pool.tryAcquire");
        // the room is checked first, so that no trial call of the breaker is used up in vain; and again, because the
        // strategy may change everything
        if (closed || !hasRoom() || !breaker.admits() || closed || !hasRoom()) return null;
        return handOut(takeIdleOrPermit());
    }

    private boolean hasRoom() {
        return !idle.isEmpty() || (count < settings.max() && waiters.isEmpty());
    }

    /** Takes an idle resource, or else an empty permit. */
    private @Nullable Slot<R> takeIdleOrPermit() {
        Slot<R> slot = idle.poll();
        if (slot == null) count++;
        return slot;
    }

    private void requireUsable() {
        if (closed) throw closedError();
        if (!breaker.isActive() && !breaker.admits()) throw unavailable();
        if (closed) throw closedError();
    }

    private @Nullable Slot<R> awaitPromise(long nanos, @Nullable Completable<?> token) {
        CoroutineImpl<?> self = loop.requireCurrent("Pool.acquire");
        Begun record = PoolRecords.waits(this, self, waiters.size());
        PoolWaiter<R> waiter = waiters.newWaiter();
        Throwable thrown = waiter.await(self, nanos, token);
        if (thrown == null && closed) thrown = closedError();
        else if (thrown == null && (waiter.isRefused() || breaker.isInactive())) thrown = unavailable();
        Slot<R> slot = waiter.slot;
        boolean promised = waiter.isServed();
        waiters.recycle(waiter);
        PoolRecords.waited(record, thrown);
        if (thrown == null) return slot;
        if (promised) passOn(slot, thrown);
        throw Throwing.sneaky(thrown);
    }

    /** Gives back what was promised to a caller that leaves without it. */
    private void passOn(@Nullable Slot<R> slot, Throwable thrown) {
        try {
            if (slot != null) giveBack(slot);
            else freePermit();
        } catch (Throwable e) {
            Causes.suppress(thrown, e);
        }
    }

    /** Hands out the resource of the caller's permit, or another idle one, or a new one. */
    private R handOut(@Nullable Slot<R> permit) {
        Slot<R> slot = search.from(permit);
        if (recordsSites) slot.site = CodeSites.caller();
        R resource = lend(slot);
        if (!slot.isNew) return resource;
        slot.isNew = false;
        if (slot.site == null && loop.settings().spawnSites()) slot.site = CodeSites.caller();
        return resource;
    }

    private R lend(Slot<R> slot) {
        R resource = slot.resource();
        if (slot.site != null && !recordsSites) slot.site = null;
        acquired++;
        CoroutineImpl<?> taker = loop.running();
        slot.taker = taker == null ? 0 : taker.id();
        slot.held = null;
        lentLast = slot;
        return resource;
    }

    // ---- releasing

    /**
     * Takes a resource back. It must be lent.
     *
     * @param resource the resource
     */
    public void release(R resource) {
        loop.requireLoopThread("Pool.release");
        Slot<R> slot = releases.takeBack(lentLast, resource, "release");
        if (!releasesUnchecked) releases.settle(slot);
        else if (!waiters.promise(slot)) idle.add(slot);
    }

    /**
     * Takes a resource back and destroys it.
     *
     * @param resource the resource
     */
    public void discard(R resource) {
        loop.requireLoopThread("Pool.discard");
        destroyAndFree(releases.takeBack(lentLast, resource, "discard"), "discarded");
    }

    /**
     * Gives a resource to the coroutine that waits longest, or else makes it idle; destroys it if the pool is closed.
     */
    void giveBack(Slot<R> slot) {
        if (closed) destroyAndFree(slot, ResourceStore.CLOSED);
        else if (!waiters.promise(slot)) idle.add(slot);
    }

    void destroyAndFree(Slot<R> slot, String reason) {
        try {
            store.destroy(slot, reason);
        } finally {
            freePermit();
        }
    }

    /** Gives an empty permit to the coroutine that waits longest, which then makes a resource; or else frees it. */
    void freePermit() {
        if (closed || !waiters.promise(null)) count--;
    }

    /** Frees the permit of a resource that was lost by its user. From now on the sites of acquires are recorded. */
    void removeLost(Slot<R> slot) {
        store.removeLost(slot);
        recordsSites = true;
        updateUnchecked();
        freePermit();
    }

    // ---- the health check

    /** Makes one more idle resource. There must be room. */
    void addIdle() {
        count++;
        boolean done = false;
        try {
            Slot<R> slot = store.create();
            done = true;
            giveBack(slot);
        } finally {
            if (!done) freePermit();
        }
    }

    boolean lacksIdle() {
        return !closed && count < settings.min();
    }

    // ---- the breaker

    /** See {@link CircuitBreaker}. */
    public void become(CircuitBreakerState state) {
        loop.requireLoopThread("Pool." + state);
        breaker.become(state);
    }

    /** See {@link CircuitBreaker#state}. */
    public CircuitBreakerState state() {
        return breaker.state();
    }

    /** See {@link CircuitBreaker#retryIn}. */
    public @Nullable Duration retryIn() {
        loop.requireLoopThread("Pool.retryIn");
        return breaker.retryIn();
    }

    /** See {@link CircuitBreaker#onStateChange}. */
    public void onStateChange(Consumer<? super CircuitBreakerState> listener) {
        loop.requireLoopThread("Pool.onStateChange");
        breaker.onStateChange(listener);
    }

    /** See {@link CircuitBreaker#awaitAvailable(Completable)}; null for no token. */
    public void awaitAvailable(@Nullable Completable<?> token) {
        loop.requireLoopThread("Pool.awaitAvailable");
        breaker.awaitAvailable(token, "Pool.awaitAvailable", () -> {
            if (closed) throw closedError();
        });
    }

    /**
     * Adds the coroutines that have taken the resources. One of them must run before a permit is free, unless other
     * code got a resource from one of them and gives it back.
     *
     * @param by receives the coroutines
     * @return false if not every resource is lent to a coroutine that is in a wait of ours, or if there are too many
     */
    boolean addTakers(Collection<Coroutine<?>> by) {
        return !closed && count == store.size() && store.addTakers(by);
    }

    private void stateChanged() {
        updateUnchecked();
        if (breaker.isInactive()) waiters.refuseAll();
    }

    /** Recomputes {@code acquiresUnchecked} and {@code releasesUnchecked}, after a change of what they depend on. */
    private void updateUnchecked() {
        acquiresUnchecked = !closed && !checksBeforeAcquire && !recordsSites && breaker.isActive();
        releasesUnchecked = !closed && !needsSettling;
    }

    private ServiceUnavailableException unavailable() {
        return breaker.refusal(info());
    }

    // ---- the end

    /** See {@link org.trueasync.Pool#close}. */
    public void close() {
        loop.requireLoopThread("Pool.close");
        if (closed) return;
        closed = true;
        updateUnchecked();
        if (end != null) loop.notAtEnd(end);
        leaks.poolClosed();
        if (healthCheck != null) healthCheck.stop();
        boolean alreadyFired = !event.ends();
        waiters.refuseAll();
        breaker.poolClosed();
        Throwable thrown = null;
        try {
            if (!alreadyFired) event.fire();
        } catch (Throwable e) {
            thrown = e;
        }
        destroyIdle(thrown);
    }

    /** Destroys all idle resources, also if destructors throw. */
    private void destroyIdle(@Nullable Throwable thrown) {
        Slot<R> slot;
        while ((slot = idle.poll()) != null) {
            try {
                destroyAndFree(slot, ResourceStore.CLOSED);
            } catch (Throwable e) {
                if (thrown == null) thrown = e;
                else Causes.suppress(thrown, e);
            }
        }
        if (thrown != null) throw Throwing.sneaky(thrown);
    }

    private void runEnds() {
        endedWithRun = true;
        close();
    }

    public boolean isClosed() {
        return closed;
    }

    PoolException closedError() {
        String text = info() + " is closed";
        return endedWithRun ? new PoolException(text, new EndOfRun(loop.reactor())) : new PoolException(text);
    }

    /**
     * Watches the user's handle. If the handle becomes unreachable while the pool is open, that is reported and the
     * pool closed.
     */
    public void watch(Object user) {
        leaks.watchHandle(user);
    }

    public Event event() {
        return event;
    }

    // ---- about it

    /** Returns the number of permits that are taken, also those for resources that are being made or destroyed. */
    public int count() {
        return count;
    }

    public int idleCount() {
        return idle.size();
    }

    public PoolStats stats() {
        return new PoolStats(
                count,
                idle.size(),
                count - idle.size(),
                waiters.size(),
                acquired,
                store.created(),
                store.destroyed(),
                store.leaked());
    }

    public String info() {
        return "Pool '" + settings.name() + "' (max=" + settings.max() + " active=" + (count - idle.size()) + " idle="
                + idle.size() + " waiting=" + waiters.size() + (breaker.isActive() ? "" : " " + breaker.state())
                + (waiters.promised() == 0 ? "" : " reserved=" + waiters.promised()) + (closed ? " closed" : "") + ")";
    }
}
