package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What JDBC lets a user set on a connection, in the order in which the settings are restored; auto-commit is switched
 * on before the others and off after them.
 */
enum SessionSetting {
    AUTO_COMMIT,
    READ_ONLY,
    ISOLATION,
    CATALOG,
    SCHEMA,
    HOLDABILITY,
    TYPE_MAP,
    CLIENT_INFO,
    NETWORK_TIMEOUT;

    @Nullable
    Object get(Connection connection) throws SQLException {
        return switch (this) {
            case AUTO_COMMIT -> connection.getAutoCommit();
            case READ_ONLY -> connection.isReadOnly();
            case ISOLATION -> connection.getTransactionIsolation();
            case CATALOG -> connection.getCatalog();
            case SCHEMA -> connection.getSchema();
            case HOLDABILITY -> connection.getHoldability();
            case TYPE_MAP -> copy(connection.getTypeMap());
            case CLIENT_INFO -> copy(connection.getClientInfo());
            case NETWORK_TIMEOUT -> connection.getNetworkTimeout();
        };
    }

    /**
     * True for what drivers keep themselves: SQL does not change it, and a reset of the session does not restore it.
     */
    boolean isOfDriver() {
        return switch (this) {
            case READ_ONLY, HOLDABILITY, TYPE_MAP, NETWORK_TIMEOUT -> true;
            case AUTO_COMMIT, ISOLATION, CATALOG, SCHEMA, CLIENT_INFO -> false;
        };
    }

    void set(Connection connection, @Nullable Object value) throws SQLException {
        switch (this) {
            case AUTO_COMMIT -> connection.setAutoCommit(bool(value));
            case READ_ONLY -> connection.setReadOnly(bool(value));
            case ISOLATION -> connection.setTransactionIsolation(number(value));
            case CATALOG -> connection.setCatalog((String) value);
            case SCHEMA -> connection.setSchema((String) value);
            case HOLDABILITY -> connection.setHoldability(number(value));
            case TYPE_MAP -> connection.setTypeMap(types(value));
            case CLIENT_INFO -> setClientInfo(connection, value);
            case NETWORK_TIMEOUT -> connection.setNetworkTimeout(Runnable::run, number(value));
        }
    }

    private static void setClientInfo(Connection connection, @Nullable Object value) throws SQLException {
        if (value instanceof ClientInfoChanges changes) {
            for (Map.Entry<String, @Nullable String> each : changes.values.entrySet())
                connection.setClientInfo(each.getKey(), each.getValue());
        } else {
            connection.setClientInfo((Properties) value);
        }
    }

    /** A value of {@link #CLIENT_INFO} that changes some names and leaves the others as the connection has them. */
    private record ClientInfoChanges(Map<String, @Nullable String> values) {}

    /**
     * Returns a value of {@link #CLIENT_INFO} that also changes this name.
     *
     * @param earlier the value so far; null if nothing is to be changed so far
     * @param value null removes the name
     */
    static Object withName(@Nullable Object earlier, String name, @Nullable String value) {
        if (earlier instanceof Properties whole) {
            Properties all = copy(whole);
            if (value == null) all.remove(name);
            else all.setProperty(name, value);
            return all;
        }
        var values = new LinkedHashMap<String, @Nullable String>();
        if (earlier instanceof ClientInfoChanges changes) values.putAll(changes.values);
        values.put(name, value);
        return new ClientInfoChanges(values);
    }

    /** Returns a copy, as drivers go on changing their object. */
    private static Properties copy(@Nullable Properties driversOwn) {
        var all = new Properties();
        if (driversOwn != null) all.putAll(driversOwn);
        return all;
    }

    private static @Nullable Map<String, Class<?>> copy(@Nullable Map<String, Class<?>> driversOwn) {
        return driversOwn == null ? null : new HashMap<>(driversOwn);
    }

    private static boolean bool(@Nullable Object value) {
        return Boolean.TRUE.equals(value);
    }

    private static int number(@Nullable Object value) {
        return (Integer) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Class<?>> types(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Class<?>>) value;
    }
}
