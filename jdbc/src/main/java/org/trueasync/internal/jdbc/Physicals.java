package org.trueasync.internal.jdbc;

import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Pool;
import org.trueasync.spi.PoolHooks;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/** The pool's hooks for physical connections. */
final class Physicals implements PoolHooks<Physical> {
    private static final System.Logger LOG = System.getLogger("org.trueasync.jdbc");

    /** A connection that was used or checked less than this ago is not checked again. */
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Settings settings;
    private final Reactor clock = SchedulerProvider.get().reactor();
    private final long idleTimeoutNanos;
    private final long keepaliveNanos;
    private final LateResets lateResets;

    /** Null while the pool makes its first connections. */
    @Nullable
    WeakReference<Pool<Physical>> pool;

    Physicals(Settings settings, OutsideCalls calls) {
        this.settings = settings;
        this.lateResets = new LateResets(calls);
        this.idleTimeoutNanos = settings.idleTimeout().toNanos();
        this.keepaliveNanos = settings.keepaliveTime().toNanos();
    }

    long now() {
        return clock.nanoTime();
    }

    /** Connects. If the server can't take connections yet, tries again until the time limit. */
    @Override
    public Physical create() throws SQLException {
        Duration limit = settings.connectionTimeout();
        long begun = now();
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return TimedCall.within(
                        limit,
                        "connecting " + settings.name() + " to "
                                + settings.connector().target(),
                        () -> Physical.open(settings, now()));
            } catch (SQLException e) {
                if (!Failures.isServerNotReady(e)) throw e;
                if (!limit.isZero() && now() - begun + pause.toNanos() > limit.toNanos()) throw e;
            }
            Async.delay(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    @Override
    public void destroy(Physical physical) {
        try {
            TimedCall.closing(settings.validationTimeout(), "closing a connection of " + settings.name(), () -> {
                physical.close();
                return true;
            });
        } catch (SQLException | RuntimeException | LinkageError e) {
            // The connection is gone in any case, and its user has got the error that broke it.
            LOG.log(System.Logger.Level.DEBUG, () -> "closing a connection of " + settings.name(), e);
        }
    }

    @Override
    public boolean beforeAcquire(Physical physical) throws SQLException {
        long now = now();
        if (physical.broken || physical.isExpired(now)) return false;
        try {
            physical.requireResetNotFailed();
        } catch (SQLException e) {
            physical.broken = true;
            return false;
        }
        return now - physical.lastCheckedNanos < FRESH_NANOS || isValid(physical);
    }

    @Override
    public boolean beforeRelease(Physical physical) throws SQLException {
        if (physical.broken) return false;
        Lease last = physical.lease;
        try {
            if (last != null) physical.clean(last);
        } catch (Throwable e) {
            physical.broken = true;
            throw e;
        }
        physical.lease = null;
        physical.lastUsedNanos = now();
        physical.lastCheckedNanos = physical.lastUsedNanos;
        if (physical.isResetDue()) lateResets.add(physical);
        return !physical.broken;
    }

    @Override
    public boolean isHealthy(Physical physical) throws SQLException {
        long now = now();
        if (physical.isExpired(now)) return false;
        if (idleTimeoutNanos != 0 && now - physical.lastUsedNanos >= idleTimeoutNanos && mayShrink()) return false;
        return keepaliveNanos == 0 || now - physical.lastCheckedNanos < keepaliveNanos || isValid(physical);
    }

    private boolean mayShrink() {
        Pool<Physical> known = pool == null ? null : pool.get();
        return known != null && known.count() > settings.min();
    }

    private boolean isValid(Physical physical) throws SQLException {
        physical.lastCheckedNanos = now();
        boolean valid = false;
        try {
            valid = TimedCall.within(
                    settings.validationTimeout(), "looking at a connection of " + settings.name(), physical::isValid);
            return valid;
        } finally {
            if (!valid) physical.broken = true;
        }
    }
}
