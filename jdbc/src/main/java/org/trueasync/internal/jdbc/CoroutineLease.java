package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.spi.ForeignCalls;
import org.trueasync.spi.TimerEvent;

/**
 * The lease of a coroutine. No other coroutine or thread may use the connection, except to close, abort or cancel. A
 * cancellation of the coroutine ends the call that it waits for.
 */
final class CoroutineLease extends Lease {
    private final CoroutineSessions holder;
    private final Coroutine<?> owner;
    private final boolean isShared;
    private final Connection facade;
    private final @Nullable TimerEvent leakWatch;
    private final DriverCall call;

    /**
     * Begins a lease.
     *
     * @param isShared true for the owner's side of the shared connection, false for a connection of its own
     */
    CoroutineLease(CoroutineSessions holder, Physical physical, boolean isShared) {
        super(holder.sessions, physical);
        this.holder = holder;
        this.owner = holder.owner;
        this.isShared = isShared;
        this.call = new DriverCall(owner, sessions.settings.validationTimeout());
        this.facade = isShared ? sessions.shared() : HandleClass.connection(this, physical.driver);
        this.leakWatch = sessions.watch(owner);
    }

    @Override
    Connection facade() {
        return facade;
    }

    @Override
    void begin(Object handle, @Nullable Statement statement) throws SQLException {
        Physical physical = physical(handle);
        requireOwner();
        call.begin(statement, startOf(statement, physical));
        noteCall();
    }

    @Override
    boolean beginShielded(Object handle, @Nullable Statement statement) throws SQLException {
        physical(handle);
        requireOwner();
        boolean due = call.beginShielded(statement);
        noteCall();
        return due;
    }

    @Override
    void executes(@Nullable String sql) {
        call.sql = sql;
    }

    @Override
    void cancel(Statement statement) throws SQLException {
        if (call.awaitMayCancel()) statement.cancel();
    }

    @Override
    void requireMayClose() throws SQLException {
        if (call.isUnderWay()) requireOwner();
        else holder.requireSameRuntime();
    }

    @Override
    void requireOwner() throws SQLException {
        Coroutine<?> caller = Callers.coroutine();
        if (caller != owner) throw Failures.foreign(owner, Callers.name());
    }

    @Override
    @Nullable
    Throwable end(@Nullable Throwable thrown) {
        Physical p = physicalOrNull();
        try {
            if (!call.end() && p != null) p.broken = true;
            Statement cancelled = call.takeCancelled();
            if (cancelled != null && p != null) p.cancelled(cancelled, thrown);
        } catch (Throwable e) {
            if (p != null) p.broken = true;
            // a shutdown has ended the wait for the driver's cancel
            thrown = thrown == null ? e : Failures.joined(e, thrown);
        }
        if (thrown != null) markIfBroken(thrown);
        return ForeignCalls.end(thrown);
    }

    @Override
    void giveBackIfDone() throws SQLException {
        if (isShared) holder.giveBackIfDone();
    }

    @Override
    void giveBack() {
        Physical p = detach();
        if (p == null) return;
        if (leakWatch != null) leakWatch.stop();
        holder.giveBack(this, p);
    }

    @Override
    public String toString() {
        return "connection of coroutine #" + owner.id();
    }
}
