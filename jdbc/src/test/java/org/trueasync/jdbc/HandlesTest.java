package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLXML;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;

/** What stands between the user and the driver passes on what it is given, both ways. */
@Tag("P31")
class HandlesTest {
    /** Answered without the driver, or not in the plain way. */
    private static final Set<String> OWN = Set.of(
            "close",
            "isClosed",
            "unwrap",
            "isWrapperFor",
            "getConnection",
            "getStatement",
            "cancel",
            "free",
            "abort",
            "commit",
            "rollback",
            "setAutoCommit",
            "getAutoCommit",
            "setNetworkTimeout",
            "setClientInfo",
            "getClientInfo",
            "getTypeMap");

    private static final Set<Class<?>> LOCATORS =
            Set.of(Blob.class, Clob.class, NClob.class, SQLXML.class, Array.class, Ref.class);

    private final Map<Class<?>, Object> drivers = new HashMap<>();
    private final List<String> heard = new ArrayList<>();

    /** A value of the type, the same for the same number. */
    private @Nullable Object any(Class<?> type, int number) {
        if (type == boolean.class) return true;
        if (type == byte.class) return (byte) number;
        if (type == short.class) return (short) number;
        if (type == int.class) return number;
        if (type == long.class) return (long) number;
        if (type == float.class) return (float) number;
        if (type == double.class) return (double) number;
        if (type == String.class) return "text " + number;
        if (type == Object.class) return "object " + number;
        if (type == Class.class) return String.class;
        if (type == int[].class) return new int[] {number};
        if (type == String[].class) return new String[] {"text " + number};
        if (type == Object[].class) return new Object[] {"object " + number};
        if (type == byte[].class) return new byte[] {(byte) number};
        if (type == long[].class) return new long[] {number};
        if (type == Map.class) return new HashMap<>();
        return type.isInterface() ? driver(type) : null;
    }

    private Object driver(Class<?> type) {
        return drivers.computeIfAbsent(
                type, t -> Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {t}, this::hear));
    }

    private @Nullable Object hear(Object self, Method method, Object @Nullable [] arguments) {
        switch (method.getName()) {
            case "hashCode":
                return System.identityHashCode(self);
            case "equals":
                return arguments != null && self == arguments[0];
            case "toString":
                return "driver";
            case "isClosed":
                return false;
            case "getAutoCommit":
                return true;
            default:
        }
        heard.add(method + " " + Arrays.deepToString(arguments == null ? new Object[0] : arguments));
        return any(method.getReturnType(), 77);
    }

    private Object handle(Class<?> type, PooledDataSource db) throws Exception {
        Connection c = db.getConnection();
        if (type == Connection.class) return c;
        if (type == Statement.class) return c.createStatement();
        if (type == PreparedStatement.class) return c.prepareStatement("select 1");
        if (type == CallableStatement.class) return c.prepareCall("call x");
        if (type == DatabaseMetaData.class) return c.getMetaData();
        if (type == Blob.class) return c.createBlob();
        if (type == Clob.class) return c.createClob();
        if (type == NClob.class) return c.createNClob();
        if (type == SQLXML.class) return c.createSQLXML();
        ResultSet row = c.createStatement().executeQuery("select 1");
        if (type == ResultSet.class) return row;
        if (type == Array.class) return row.getArray(1);
        if (type == Ref.class) return row.getRef(1);
        if (type == ResultSetMetaData.class) return row.getMetaData();
        return c.prepareStatement("select 1").getParameterMetaData();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Connection.class,
                Statement.class,
                PreparedStatement.class,
                CallableStatement.class,
                ResultSet.class,
                DatabaseMetaData.class,
                Blob.class,
                Clob.class,
                NClob.class,
                SQLXML.class,
                Array.class,
                Ref.class,
                ResultSetMetaData.class,
                ParameterMetaData.class
            })
    void eachMethod_argumentsAndResult(Class<?> type) {
        Async.run(() -> {
            try (var db = PooledDataSource.around((DataSource) driver(DataSource.class))
                    .max(100)
                    .build()) {
                Object handle = handle(type, db);
                for (Method method : type.getMethods()) {
                    if (isPassedOn(method)) check(handle, method, db);
                }
            }
        });
    }

    private static boolean isPassedOn(Method method) {
        // it says more than was asked
        boolean cached = method.getName().equals("prepareStatement") && method.getParameterCount() == 1;
        return !Modifier.isStatic(method.getModifiers()) && !OWN.contains(method.getName()) && !cached;
    }

    private void check(Object handle, Method method, PooledDataSource db) throws Exception {
        Class<?>[] parameters = method.getParameterTypes();
        Object[] given = new Object[parameters.length];
        Object[] expected = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            expected[i] = any(parameters[i], 10 + i);
            given[i] = LOCATORS.contains(parameters[i]) ? handle(parameters[i], db) : expected[i];
        }
        heard.clear();
        Object result = method.invoke(handle, given);
        String call = "." + method.getName() + "(";
        String arguments = ") " + Arrays.deepToString(expected);
        assertThat(heard)
                .as("%s", method)
                .anyMatch(h ->
                        h.contains(call) && h.replaceFirst(" throws \\S+", "").endsWith(arguments));
        Class<?> type = method.getReturnType();
        if (type == void.class) return;
        if (type.isInterface() && type != Map.class)
            assertThat(result).as("%s", method).isInstanceOf(type);
        else assertThat(result).as("%s", method).isEqualTo(any(type, 77));
    }
}
