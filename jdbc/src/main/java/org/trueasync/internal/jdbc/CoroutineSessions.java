package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.spi.Reactor;

/** What one coroutine has of one data source: connections of its own, and its side of the shared one. */
final class CoroutineSessions {
    final Sessions sessions;
    final Coroutine<?> owner;
    private final Reactor runtime;
    private final List<Lease> own = new ArrayList<>(2);

    // ---- the shared connection, as this coroutine sees it
    private @Nullable Lease lease;
    private @Nullable Connection connection;
    private final Map<SessionSetting, Object> wanted = new EnumMap<>(SessionSetting.class);

    /** True if a transaction was lost with its connection; statements fail until the coroutine rolls back or closes. */
    private boolean transactionLost;

    /**
     * Begins without connections.
     *
     * @param runtime the owner's
     */
    CoroutineSessions(Sessions sessions, Coroutine<?> owner, Reactor runtime) {
        this.sessions = sessions;
        this.owner = owner;
        this.runtime = runtime;
    }

    boolean isOfPoolRuntime() {
        return runtime == sessions.runtime;
    }

    private Physical acquire() throws SQLException {
        return isOfPoolRuntime() ? sessions.acquire() : sessions.acquireFromOutside();
    }

    void giveBack(CoroutineLease lease, Physical physical) {
        own.remove(lease);
        if (isOfPoolRuntime()) sessions.giveBack(lease, physical);
        else sessions.giveBackFromOutside(lease, physical);
    }

    /** Throws unless the caller is a coroutine of the owner's runtime. */
    void requireSameRuntime() throws SQLException {
        if (Callers.coroutine() == null || Callers.runtime() != runtime) throw Failures.foreign(owner, Callers.name());
    }

    // ---- connections of its own

    Connection open() throws SQLException {
        Lease opened = new CoroutineLease(this, acquire(), false);
        own.add(opened);
        return opened.facade();
    }

    // ---- its side of the shared connection

    /** Returns the connection underneath; takes one if there is none. */
    Connection connection() throws SQLException {
        giveBackIfDone();
        if (transactionLost) throw lost();
        Connection current = connectionOrNull();
        if (current != null) return current;
        Physical physical = acquire();
        Lease taken = new CoroutineLease(this, physical, true);
        Connection handle = HandleClass.connection(taken, physical.driver);
        lease = taken;
        connection = handle;
        try {
            applySettings(handle);
        } catch (Throwable e) {
            giveBackShared();
            throw e;
        }
        return handle;
    }

    /**
     * Applies the coroutine's settings, auto-commit last: once it is off, other settings begin a transaction on some
     * databases, and a rollback undoes them.
     */
    private void applySettings(Connection handle) throws SQLException {
        for (Map.Entry<SessionSetting, Object> setting : wanted.entrySet())
            if (setting.getKey() != SessionSetting.AUTO_COMMIT) setting.getKey().set(handle, setting.getValue());
        Object autoCommit = wanted.get(SessionSetting.AUTO_COMMIT);
        if (autoCommit != null) SessionSetting.AUTO_COMMIT.set(handle, autoCommit);
    }

    @Nullable
    Connection connectionOrNull() {
        return lease == null || lease.isOver() ? null : connection;
    }

    private SQLException lost() {
        return new SQLTransientConnectionException(
                "the transaction of coroutine #" + owner.id() + " was lost with its connection: roll back first",
                "08007");
    }

    /** Gives the connection back if nothing needs it any more, or if it is lost. */
    void giveBackIfDone() throws SQLException {
        Lease current = lease;
        if (current == null || current.isOver()) return;
        if (current.isBroken()) transactionLost = current.mayHaveLostTransaction();
        if (current.isBroken() || current.isDone()) giveBackShared();
    }

    /** Gives the connection back, as its user closes it; what was not committed is rolled back. */
    void closeShared() {
        transactionLost = false;
        giveBackShared();
    }

    private void giveBackShared() {
        Lease current = lease;
        lease = null;
        connection = null;
        if (current != null) current.giveBack();
    }

    @Nullable
    Object wanted(SessionSetting setting) {
        return wanted.get(setting);
    }

    void want(SessionSetting setting, @Nullable Object value) throws SQLException {
        giveBackIfDone();
        boolean commits = setting == SessionSetting.AUTO_COMMIT && Boolean.TRUE.equals(value) && !isAutoCommit();
        Connection current = connectionOrNull();
        if (current != null) setting.set(current, value);
        wanted.put(setting, value);
        if (commits && transactionLost) {
            // Switching auto-commit on would have committed the transaction. After this error the user need not roll
            // back any more.
            transactionLost = false;
            throw lost();
        }
        giveBackIfDone();
    }

    boolean isAutoCommit() {
        return wanted.get(SessionSetting.AUTO_COMMIT) instanceof Boolean on ? on : sessions.settings.autoCommit();
    }

    boolean isInTransaction() throws SQLException {
        return lease != null && !lease.isOver() && lease.isInTransaction();
    }

    void commit() throws SQLException {
        giveBackIfDone();
        if (transactionLost) throw lost();
        Connection current = connectionOrNull();
        if (current != null) current.commit();
        else requireManual("commit");
        giveBackIfDone();
    }

    void rollback() throws SQLException {
        giveBackIfDone();
        boolean wasLost = transactionLost;
        transactionLost = false;
        Connection current = connectionOrNull();
        if (current != null) rollback(current);
        else if (!wasLost) requireManual("rollback");
        giveBackIfDone();
    }

    private void rollback(Connection current) throws SQLException {
        try {
            current.rollback();
        } catch (Throwable e) {
            // the transaction has ended with its connection, as it should
            if (lease != null && lease.isBroken()) giveBackShared();
            throw e;
        }
    }

    private void requireManual(String call) throws SQLException {
        if (isAutoCommit())
            throw new SQLException(call + " needs a transaction, and auto-commit is on: setAutoCommit(false)", "25000");
    }

    /** Gives all connections back at the end of the coroutine, even if giving back one of them throws. */
    void end() {
        Throwable thrown = null;
        if (lease != null) own.add(lease);
        lease = null;
        connection = null;
        while (!own.isEmpty()) {
            Lease next = own.removeLast();
            try {
                next.giveBack();
            } catch (Throwable e) {
                thrown = Failures.joined(thrown, e);
            }
        }
        if (thrown != null) throw Failures.sneaky(thrown);
    }
}
