package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The connection that all coroutines share. Its settings are the calling coroutine's own. Changing a setting, and
 * reading auto-commit or read-only, takes no physical connection.
 */
abstract class SharedConnection extends SharedHandle implements Connection {
    SharedConnection(Sessions sessions) {
        super(sessions);
    }

    @Override
    Object enter() throws SQLException {
        return sessions.ofCaller().connection();
    }

    /** Gives the calling coroutine's connection back, rolled back if necessary; the shared one stays usable for all. */
    @Override
    public void close() throws SQLException {
        sessions.ofCaller().closeShared();
    }

    @Override
    public boolean isClosed() {
        return sessions.isClosed();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        Connection own = sessions.ofCaller().connectionOrNull();
        if (own != null) own.abort(executor);
        sessions.ofCaller().giveBackIfDone();
    }

    @Override
    public boolean isValid(int timeout) throws SQLException {
        if (sessions.isClosed()) return false;
        Connection own = (Connection) enter();
        try {
            return own.isValid(timeout);
        } finally {
            leave();
        }
    }

    @Override
    public DatabaseMetaData getMetaData() {
        return HandleClass.Shared.metaData(sessions);
    }

    // ---- transactions

    @Override
    public boolean getAutoCommit() throws SQLException {
        return sessions.ofCaller().isAutoCommit();
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        sessions.ofCaller().want(SessionSetting.AUTO_COMMIT, on);
    }

    @Override
    public void commit() throws SQLException {
        sessions.ofCaller().commit();
    }

    @Override
    public void rollback() throws SQLException {
        sessions.ofCaller().rollback();
    }

    // ---- settings

    @Override
    public boolean isReadOnly() throws SQLException {
        Object wanted = sessions.ofCaller().wanted(SessionSetting.READ_ONLY);
        return wanted != null ? (Boolean) wanted : Boolean.TRUE.equals(sessions.settings.readOnly());
    }

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        sessions.ofCaller().want(SessionSetting.READ_ONLY, on);
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        sessions.ofCaller().want(SessionSetting.ISOLATION, level);
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        sessions.ofCaller().want(SessionSetting.CATALOG, catalog);
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        sessions.ofCaller().want(SessionSetting.SCHEMA, schema);
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        sessions.ofCaller().want(SessionSetting.HOLDABILITY, holdability);
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> types) throws SQLException {
        sessions.ofCaller().want(SessionSetting.TYPE_MAP, types);
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        sessions.ofCaller().want(SessionSetting.NETWORK_TIMEOUT, milliseconds);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        clientInfo(() -> sessions.ofCaller().want(SessionSetting.CLIENT_INFO, properties));
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        clientInfo(() -> {
            CoroutineSessions own = sessions.ofCaller();
            own.want(
                    SessionSetting.CLIENT_INFO,
                    SessionSetting.withName(own.wanted(SessionSetting.CLIENT_INFO), name, value));
        });
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

    // ---- warnings: of the connection that the coroutine has, if it has one

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        Connection own = sessions.ofCaller().connectionOrNull();
        return own == null ? null : own.getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        Connection own = sessions.ofCaller().connectionOrNull();
        if (own != null) own.clearWarnings();
    }

    @Override
    public String toString() {
        return "shared connection of " + sessions.settings.name();
    }
}
