package org.trueasync.internal.jdbc;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.Pool;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Events;
import org.trueasync.spi.ExitActions;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.TriggerEvent;

/**
 * All connections of one data source, and the coroutines that have them. Any thread; the pool belongs to the loop on
 * which the data source was built.
 */
public final class Sessions {
    private static final System.Logger LOG = System.getLogger("org.trueasync.jdbc");

    private static volatile boolean handlesAreMade;

    final Settings settings;

    /** The reactor of the pool's runtime; it identifies the runtime. */
    final Reactor runtime = SchedulerProvider.get().reactor();

    private final Pool<Physical> pool;
    private final Outside outside;
    private final IdentityHashMap<Coroutine<?>, CoroutineSessions> byCoroutine = new IdentityHashMap<>();

    /** The sessions of coroutines of other runtimes. */
    private final Map<Coroutine<?>, CoroutineSessions> byForeignCoroutine = new ConcurrentHashMap<>();

    private volatile @Nullable Connection shared;

    private Sessions(Settings settings, Pool<Physical> pool, OutsideCalls calls) {
        this.settings = settings;
        this.pool = pool;
        this.outside = new Outside(this, calls);
    }

    /**
     * Opens a data source's pool. Loop thread.
     *
     * @param settings of the data source
     * @param sized sets the pool's own settings
     * @throws SQLException if the first connections can't be made
     */
    public static Sessions open(Settings settings, Consumer<Pool.Builder<?>> sized) throws SQLException {
        if (!handlesAreMade) makeHandles();
        var calls = OutsideCalls.ofThisRuntime();
        var physicals = new Physicals(settings, calls);
        Pool.Builder<Physical> builder = Pool.with(physicals).name(settings.name());
        sized.accept(builder);
        Pool<Physical> pool;
        try {
            pool = builder.build();
        } catch (AsyncException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Failures.ofPool(e, settings.name());
        }
        physicals.pool = new WeakReference<>(pool);
        return new Sessions(settings, pool, calls);
    }

    /**
     * Generates the classes of handles, once in the process. That takes a tenth of a second or more, so another thread
     * does it while the loop goes on.
     */
    private static void makeHandles() {
        Async.blocking(() -> {
            HandleClass.generate();
            HandleClass.Shared.generate();
        });
        handlesAreMade = true;
    }

    /** Returns the pool of physical connections. */
    public Pool<?> pool() {
        return pool;
    }

    /** Returns how long to wait for a connection; zero for no limit. */
    public Duration connectionTimeout() {
        return settings.connectionTimeout();
    }

    boolean isClosed() {
        return pool.isClosed();
    }

    /** Returns a connection for the caller alone. */
    public Connection connect() throws SQLException {
        Coroutine<?> self = Callers.coroutine();
        return self != null ? of(self).open() : outside.connect();
    }

    /** Returns the connection that all coroutines share. */
    public Connection shared() {
        Connection s = shared;
        if (s == null) shared = s = HandleClass.Shared.connection(this);
        return s;
    }

    /** True if the calling coroutine has a transaction open on the shared connection. */
    public boolean isInTransaction() throws SQLException {
        return ofCaller().isInTransaction();
    }

    /** Closes the pool, and waits until idle connections are closed. */
    public void close() {
        if (mayUsePool()) pool.close();
        else if (!pool.isClosed()) outside.close(pool);
    }

    /** True if the caller may use the pool: in a coroutine of its runtime, or in a callback on its loop. */
    private boolean mayUsePool() {
        return Callers.runtime() == runtime && (Callers.coroutine() != null || Callers.isLoopItself());
    }

    /** Returns what the calling coroutine has; throws if the caller is no coroutine. */
    CoroutineSessions ofCaller() throws SQLException {
        Coroutine<?> self = Callers.coroutine();
        if (self == null) throw Failures.noCoroutine(settings.name());
        return of(self);
    }

    private CoroutineSessions of(Coroutine<?> self) throws SQLException {
        Reactor callersRuntime = SchedulerProvider.get().reactor();
        Map<Coroutine<?>, CoroutineSessions> all = callersRuntime == runtime ? byCoroutine : byForeignCoroutine;
        CoroutineSessions known = all.get(self);
        if (known != null) return known;
        var made = new CoroutineSessions(this, self, callersRuntime);
        try {
            ExitActions.add(() -> end(made));
        } catch (AsyncException e) {
            throw Failures.outside(settings.name(), e);
        }
        all.put(self, made);
        return made;
    }

    private void end(CoroutineSessions ended) {
        (ended.isOfPoolRuntime() ? byCoroutine : byForeignCoroutine).remove(ended.owner);
        ended.end();
    }

    /** Takes a connection. In a coroutine of the pool's runtime. */
    Physical acquire() throws SQLException {
        // While the trigger is active, this wait is no deadlock: another thread may give a connection back.
        TriggerEvent keepAwake = outside.mayWakeUnlimitedWait() ? Events.trigger() : null;
        if (keepAwake != null) keepAwake.start();
        try {
            return pool.acquire(settings.connectionTimeout());
        } catch (RuntimeException e) {
            throw Failures.ofPool(e, settings.name());
        } finally {
            if (keepAwake != null) keepAwake.stop();
        }
    }

    /** Takes a connection. In a coroutine of another runtime. */
    Physical acquireFromOutside() throws SQLException {
        return outside.acquire(this::acquire, this::drop);
    }

    /** Gives back a connection that was not used. In a coroutine of the pool's runtime. */
    void drop(Physical physical) {
        SchedulerProvider.get().shield(() -> {
            pool.release(physical);
            return true;
        });
    }

    /** Gives a connection back. In a coroutine of the pool's runtime. */
    void giveBack(Lease lease, Physical physical) {
        SchedulerProvider.get().shield(() -> {
            // discard does not count this end of a session as a failure
            if (physical.isSpent(lease)) pool.discard(physical);
            else pool.release(physical);
            return true;
        });
    }

    /** Gives a connection back. In a coroutine of another runtime, which may be cancelled. */
    void giveBackFromOutside(CoroutineLease lease, Physical physical) {
        SchedulerProvider.get().shield(() -> {
            outside.giveBack(physical, () -> giveBack(lease, physical));
            return true;
        });
    }

    /** Gives a connection back. Any thread. */
    void giveBackOfThread(ThreadLease lease, Physical physical) {
        Runnable back = () -> {
            lease.endWatch();
            giveBack(lease, physical);
        };
        if (Callers.runtime() == runtime && Callers.coroutine() != null) {
            outside.userGone();
            back.run();
        } else {
            outside.giveBack(physical, back);
        }
    }

    // ---- connections that are kept too long

    /** Starts a timer that reports the holder once, unless it is stopped in time; null if such reports are off. */
    @Nullable
    TimerEvent watch(Coroutine<?> holder) {
        Throwable taken = traceIfWatched();
        return taken == null ? null : watch("coroutine #" + holder.id(), taken);
    }

    /** Records where a connection is taken; null if such reports are off. */
    @Nullable
    Throwable traceIfWatched() {
        return settings.leakDetectionThreshold().isZero() ? null : new Throwable("the connection was taken here");
    }

    TimerEvent watch(String holder, Throwable taken) {
        Duration threshold = settings.leakDetectionThreshold();
        TimerEvent timer = SchedulerProvider.get().timers().oneShot(threshold).keepOpen();
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            private long heldBefore = heldMillis();

            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                long held = heldMillis();
                // While the loop was held the holder could not give it back.
                if (held > heldBefore) restart(timer, held - heldBefore);
                else report(holder, threshold, taken);
                heldBefore = held;
            }
        });
        timer.start();
        return timer;
    }

    private static long heldMillis() {
        return Async.runtimeStats().heldMillis();
    }

    private static void restart(TimerEvent timer, long millis) {
        timer.stop();
        timer.rearm(Duration.ofMillis(millis));
        timer.start();
    }

    private void report(String holder, Duration threshold, Throwable taken) {
        String text = holder + " has kept a connection of " + settings.name() + " for more than " + threshold
                + "; is a close() missing?";
        Microtask.of(() -> LOG.log(Level.WARNING, text, taken)).enqueue();
    }
}
