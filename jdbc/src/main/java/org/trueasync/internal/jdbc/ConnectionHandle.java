package org.trueasync.internal.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Struct;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The connection of one lease. */
abstract class ConnectionHandle extends Handle implements Connection {
    /** The text that was prepared last. */
    private @Nullable String prepares;

    /** Its {@link SqlEffects}. */
    private int preparing;

    ConnectionHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    @Override
    String what() {
        return "this connection";
    }

    private Connection driver() {
        return (Connection) delegate;
    }

    private interface Call {
        void run(Physical physical) throws SQLException;
    }

    private void call(Call call) throws SQLException {
        enter();
        finish(call);
    }

    /** Makes a call that cleans up, or restores a setting. */
    private void callShielded(Call call) throws SQLException {
        enterShielded();
        finish(call);
    }

    private void finish(Call call) throws SQLException {
        try {
            call.run(lease.physical(what()));
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
        leave();
    }

    private void change(SessionSetting setting, @Nullable Object value) throws SQLException {
        set(physical -> physical.changes.set(setting, driver(), value, physical.isAsItBegan(lease)));
    }

    /**
     * Changes a setting. Some drivers commit an open transaction then. That must not happen to a cancelled coroutine,
     * which gets an error instead.
     */
    private void set(Call call) throws SQLException {
        requireOpen();
        boolean due = lease.beginShielded(what(), null);
        finish(physical -> {
            if (due && lease.mayBeInTransaction()) throw Failures.mayCommit();
            call.run(physical);
        });
    }

    // ---- the end

    @Override
    public void close() throws SQLException {
        if (lease.isOver()) return;
        lease.requireMayClose();
        lease.giveBack();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return lease.isOver() || driver().isClosed();
    }

    /** Has the driver close the socket, so that a call under way fails. The caller need not be the owner. */
    @Override
    public void abort(Executor executor) throws SQLException {
        if (lease.isOver()) return;
        lease.physical(this).broken = true;
        driver().abort(executor);
    }

    // ---- transactions

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        if (on) set(physical -> autoCommit(physical, true));
        else callShielded(physical -> autoCommit(physical, false));
    }

    private void autoCommit(Physical physical, boolean on) throws SQLException {
        if (on == driver().getAutoCommit()) return;
        if (on) lease.freeLocators();
        physical.changes.set(SessionSetting.AUTO_COMMIT, driver(), on, true);
        lease.autoCommit(on);
        lease.transactionEnded();
    }

    @Override
    public void commit() throws SQLException {
        call(physical -> {
            lease.freeLocators();
            driver().commit();
            lease.transactionEnded();
        });
    }

    @Override
    public void rollback() throws SQLException {
        callShielded(physical -> {
            driver().rollback();
            lease.transactionEnded();
        });
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        callShielded(physical -> driver().rollback(savepoint));
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        callShielded(physical -> driver().releaseSavepoint(savepoint));
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return made(() -> {
            lease.noteExecution();
            return driver().setSavepoint();
        });
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return made(() -> {
            lease.noteExecution();
            return driver().setSavepoint(name);
        });
    }

    private interface Making<T extends @Nullable Object> {
        T make() throws SQLException;
    }

    /** Returns what the driver makes, without a handle around it. */
    private <T extends @Nullable Object> T made(Making<T> making) throws SQLException {
        enter();
        return finish(making);
    }

    private <T extends @Nullable Object> T finish(Making<T> making) throws SQLException {
        T made;
        try {
            made = making.make();
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
        leave();
        return made;
    }

    // ---- settings of the session

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        change(SessionSetting.READ_ONLY, on);
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        change(SessionSetting.ISOLATION, level);
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        change(SessionSetting.CATALOG, catalog);
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        change(SessionSetting.SCHEMA, schema);
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        change(SessionSetting.HOLDABILITY, holdability);
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> types) throws SQLException {
        change(SessionSetting.TYPE_MAP, types);
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        change(SessionSetting.NETWORK_TIMEOUT, milliseconds);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        clientInfo(() -> change(SessionSetting.CLIENT_INFO, properties));
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        clientInfo(() -> {
            Properties all = getClientInfo();
            if (value == null) all.remove(name);
            else all.setProperty(name, value);
            change(SessionSetting.CLIENT_INFO, all);
        });
    }

    /** Returns a copy: a change to it has no effect until it is set. */
    @Override
    public Properties getClientInfo() throws SQLException {
        return (Properties) Objects.requireNonNull(current(SessionSetting.CLIENT_INFO));
    }

    /** Returns a copy: a change to it has no effect until it is set. */
    @Override
    @SuppressWarnings("unchecked")
    public @Nullable Map<String, Class<?>> getTypeMap() throws SQLException {
        return (Map<String, Class<?>>) current(SessionSetting.TYPE_MAP);
    }

    private @Nullable Object current(SessionSetting setting) throws SQLException {
        enterShielded();
        return finish(() -> setting.get(driver()));
    }

    private interface ClientInfo {
        void set() throws SQLException;
    }

    private static void clientInfo(ClientInfo info) throws SQLClientInfoException {
        try {
            info.set();
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
        }
    }

    // ---- statements

    /** Called before a text is prepared. */
    final void notePrepared(String sql) {
        prepares = sql;
        preparing = SqlEffects.of(sql);
        lease.notePrepared(preparing);
    }

    /** Called before a sharding key is set. Nobody can ask for the one in force, so it can't be restored. */
    final void noteSharding() {
        lease.notePrepared(SqlEffects.TOUCHES_SESSION);
    }

    @Override
    Handle opened(Handle handle) {
        if (handle instanceof PreparedHandle prepared) prepared.preparedFrom(prepares, preparing);
        return super.opened(handle);
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepare(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepare(sql, type, concurrency);
    }

    private PreparedStatement prepare(String sql, int type, int concurrency) throws SQLException {
        StatementCache cache = lease.physical(what()).statements;
        lease.begin(what(), null);
        PreparedHandle handle;
        try {
            notePrepared(sql);
            var key = new StatementCache.Key(sql, type, concurrency);
            PreparedStatement statement = cache.take(key);
            if (statement == null || statement.isClosed())
                statement = driver().prepareStatement(sql, type, concurrency);
            handle = (PreparedHandle) opened(HandleClass.PREPARED.make(lease, statement, this));
            if (cache.isOn()) handle.cachedIn(cache, key);
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
        leave();
        return handle;
    }

    /**
     * Returns the driver's object without a handle: it is only a value to give to a statement, and needs no connection.
     * May wait, as drivers may ask the server for the type.
     */
    @Override
    public Array createArrayOf(String type, Object[] elements) throws SQLException {
        return made(() -> driver().createArrayOf(type, elements));
    }

    /** Returns the driver's object, as {@link #createArrayOf} does. */
    @Override
    public Struct createStruct(String type, Object[] attributes) throws SQLException {
        return made(() -> driver().createStruct(type, attributes));
    }
}
