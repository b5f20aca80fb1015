package org.trueasync.internal.jdbc;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.Pool;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ExitActions;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

/** All connections of one data source, and who has them. Loop thread only. */
public final class Sessions {
    private static final System.Logger LOG = System.getLogger("org.trueasync.jdbc");

    private static volatile boolean handlesAreMade;

    final Settings settings;

    /** One for each runtime. */
    private final Reactor runtime = SchedulerProvider.get().reactor();

    private final Pool<Physical> pool;
    private final IdentityHashMap<Coroutine<?>, CoroutineSessions> byCoroutine = new IdentityHashMap<>();
    private @Nullable Connection shared;

    private Sessions(Settings settings, Pool<Physical> pool) {
        this.settings = settings;
        this.pool = pool;
    }

    /**
     * A data source's.
     *
     * @param settings which
     * @param sized sets the pool's own settings
     * @throws SQLException if the first connections can't be made
     */
    public static Sessions open(Settings settings, Consumer<Pool.Builder<?>> sized) throws SQLException {
        if (!handlesAreMade) makeHandles();
        var physicals = new Physicals(settings);
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
        return new Sessions(settings, pool);
    }

    /** Generating their classes takes a tenth of a second or more, once in the process: on another thread, so that the loop goes on. */
    private static void makeHandles() {
        Async.blocking(() -> {
            HandleClass.generate();
            HandleClass.Shared.generate();
        });
        handlesAreMade = true;
    }

    /** The physical connections. */
    public Pool<?> pool() {
        return pool;
    }

    /** How long to wait for a connection. */
    public Duration connectionTimeout() {
        return settings.connectionTimeout();
    }

    boolean isClosed() {
        return pool.isClosed();
    }

    /** A connection of the calling coroutine's own. */
    public Connection connect() throws SQLException {
        return here().open();
    }

    /** The one for everybody. */
    public Connection shared() {
        Connection s = shared;
        if (s == null) shared = s = HandleClass.Shared.connection(this);
        return s;
    }

    /** Whether the calling coroutine has a transaction open on the shared connection. */
    public boolean isInTransaction() throws SQLException {
        return here().isInTransaction();
    }

    /** A coroutine of the runtime that this belongs to: all others would be on other threads. */
    Coroutine<?> requireCoroutine() throws SQLException {
        try {
            if (SchedulerProvider.get().reactor() != runtime)
                throw new AsyncException("this coroutine belongs to another one");
        } catch (AsyncException e) {
            throw Failures.outside(settings.name(), e);
        }
        return caller();
    }

    Coroutine<?> caller() throws SQLException {
        try {
            return Async.currentCoroutine();
        } catch (AsyncException e) {
            throw Failures.outside(settings.name(), e);
        }
    }

    CoroutineSessions here() throws SQLException {
        Coroutine<?> self = requireCoroutine();
        CoroutineSessions known = byCoroutine.get(self);
        if (known != null) return known;
        var made = new CoroutineSessions(this, self);
        try {
            ExitActions.add(() -> end(made));
        } catch (AsyncException e) {
            throw Failures.outside(settings.name(), e);
        }
        byCoroutine.put(self, made);
        return made;
    }

    private void end(CoroutineSessions ended) {
        byCoroutine.remove(ended.owner);
        ended.end();
    }

    Physical acquire() throws SQLException {
        try {
            return pool.acquire(settings.connectionTimeout());
        } catch (RuntimeException e) {
            throw Failures.ofPool(e, settings.name());
        }
    }

    void giveBack(Lease lease, Physical physical) {
        CoroutineSessions holder = byCoroutine.get(lease.owner);
        if (holder != null) holder.left(lease);
        SchedulerProvider.get().shield(() -> {
            // the end of its session as planned, and no failure
            if (physical.isSpent(lease)) pool.discard(physical);
            else pool.release(physical);
            return true;
        });
    }

    // ---- who keeps a connection too long

    /** Reports once if it is not disposed of in time; null if nobody wants to know. */
    @Nullable
    TimerEvent watch(Coroutine<?> holder) {
        Duration threshold = settings.leakDetectionThreshold();
        if (threshold.isZero()) return null;
        var taken = new Throwable("the connection was taken here");
        TimerEvent timer = SchedulerProvider.get().timers().oneShot(threshold);
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                if (error == null) report(holder, threshold, taken);
            }
        });
        timer.start();
        return timer;
    }

    private void report(Coroutine<?> holder, Duration threshold, Throwable taken) {
        String text = "coroutine #" + holder.id() + " has kept a connection of " + settings.name() + " for more than "
                + threshold + "; is a close() missing?";
        Microtask.of(() -> LOG.log(Level.WARNING, text, taken)).enqueue();
    }
}
