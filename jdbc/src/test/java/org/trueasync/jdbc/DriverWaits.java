package org.trueasync.jdbc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.lang.reflect.InvocationTargetException;
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
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.internal.testkit.WaitingMethods;

/**
 * Waits of all methods of JDBC's interfaces for the server, in the driver's method of the same name. Whatever ends
 * them, the connection is closed, or as it was when it was made, and nothing was called in the middle of an answer.
 */
final class DriverWaits extends WaitTable {
    /** What does not wait for the server in the driver's method of the same name, and why. */
    static final Map<String, String> WITHOUT_ROWS = Map.ofEntries(
            entry("Connection.(close|isClosed)\\(\\)", "gives back, see CleaningWaits; or asks nobody"),
            entry("Connection.abort\\(Executor\\)", "has the socket closed, and waits for nobody"),
            entry("Statement.cancel\\(\\)", "is sent beside the call that waits: see PostgresCancellationTest"),
            entry("Connection.prepareStatement\\(String\\)", "calls the method with type and concurrency"),
            entry("Connection.setClientInfo\\(String, String\\)", "calls the method with Properties"),
            entry("(Statement|ResultSet).isClosed\\(\\)", "asks what the driver knows"),
            entry("(Statement|DatabaseMetaData).getConnection\\(\\)", "returns the handle"),
            entry("DatabaseMetaData.getDriver(Major|Minor)Version\\(\\)", "has no error to throw"),
            entry("ResultSet.getStatement\\(\\)", "returns the handle"),
            entry("ResultSet.(get(?!MetaData).*|wasNull|findColumn)\\(.*", "reads what was fetched"),
            entry("(Prepared|Callable)Statement.set.*", "is kept until it is executed"),
            entry("(Prepared|Callable)Statement.(get(?!.*MetaData)|wasNull).*", "reads what was fetched"));

    /** As above, of the shared connection alone. */
    static final Map<String, String> WITHOUT_ROWS_SHARED = Map.of(
            "Connection.(getAutoCommit|isReadOnly)\\(\\)", "the coroutine's own settings",
            "Connection.getMetaData\\(\\)", "its methods take a connection",
            "Connection.(get|clear)Warnings\\(\\)", "of the connection that the coroutine has, if it has one");

    /**
     * What cleans up, restores or asks for a setting: it is called even if a cancellation is due, and one that comes
     * meanwhile is thrown at the next wait.
     */
    static final Pattern SHIELDED = Pattern.compile("Connection.((get|is(?!Valid)|set(?!Savepoint|ShardingKey)).*"
            + "|clearWarnings.*|rollback.*|releaseSavepoint.*)"
            + "|Statement.((set|is|clear).*|get(Warnings|Fetch.*|.*Max.*|QueryTimeout"
            + "|ResultSet(Type|Concurrency|Holdability)).*|closeOnCompletion.*|close.*)"
            + "|(Prepared|Callable)Statement.clearParameters.*|ResultSet.close.*|.*\\.free.*");

    /** How users get an object of each interface. */
    private interface Maker {
        Object of(Connection connection) throws SQLException;
    }

    private static final Map<Class<?>, Maker> MAKERS = new LinkedHashMap<>();

    static {
        MAKERS.put(Connection.class, connection -> connection);
        MAKERS.put(Statement.class, Connection::createStatement);
        MAKERS.put(PreparedStatement.class, connection -> connection.prepareStatement("select ?"));
        MAKERS.put(CallableStatement.class, connection -> connection.prepareCall("call f()"));
        MAKERS.put(ResultSet.class, DriverWaits::result);
        MAKERS.put(DatabaseMetaData.class, Connection::getMetaData);
        MAKERS.put(ResultSetMetaData.class, connection -> result(connection).getMetaData());
        MAKERS.put(
                ParameterMetaData.class,
                connection -> connection.prepareStatement("select ?").getParameterMetaData());
        MAKERS.put(Blob.class, connection -> result(connection).getBlob(1));
        MAKERS.put(Clob.class, connection -> result(connection).getClob(1));
        MAKERS.put(NClob.class, connection -> result(connection).getNClob(1));
        MAKERS.put(SQLXML.class, connection -> result(connection).getSQLXML(1));
        MAKERS.put(Array.class, connection -> result(connection).getArray(1));
        MAKERS.put(Ref.class, connection -> result(connection).getRef(1));
    }

    DriverWaits() {
        for (Class<?> type : MAKERS.keySet())
            for (Method method : methods(type)) {
                if (isIn(WITHOUT_ROWS, type, method)) continue;
                for (boolean shared : new boolean[] {false, true}) {
                    if (shared && isIn(WITHOUT_ROWS_SHARED, type, method)) continue;
                    row(type, method, shared, false);
                    if (isShielded(type, method) && type != ResultSet.class) row(type, method, shared, true);
                }
            }
    }

    private static ResultSet result(Connection connection) throws SQLException {
        return connection.createStatement().executeQuery("select 1");
    }

    /** The methods that an interface declares, in a fixed order. */
    private static List<Method> methods(Class<?> type) {
        var byName = new TreeMap<String, Method>();
        for (Method method : type.getMethods())
            if (method.getDeclaringClass() == type && !Modifier.isStatic(method.getModifiers()))
                byName.put(WaitingMethods.name(type, method), method);
        return new ArrayList<>(byName.values());
    }

    /** The reasons that no method needs. */
    static Set<String> stale() {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : MAKERS.keySet())
            for (Method method : methods(type)) names.add(WaitingMethods.name(type, method));
        Set<String> reasons = new TreeSet<>(WITHOUT_ROWS.keySet());
        reasons.addAll(WITHOUT_ROWS_SHARED.keySet());
        reasons.removeIf(reason -> names.stream().anyMatch(name -> name.matches(reason)));
        return reasons;
    }

    private static boolean isIn(Map<String, String> reasons, Class<?> type, Method method) {
        String name = WaitingMethods.name(type, method);
        return reasons.keySet().stream().anyMatch(name::matches);
    }

    static boolean isShielded(String row) {
        return SHIELDED.matcher(row).matches();
    }

    private static boolean isShielded(Class<?> type, Method method) {
        return SHIELDED.matcher(WaitingMethods.name(type, method)).matches();
    }

    /** A pool of one connection. */
    static PooledDataSource source(ScriptedDriver driver) throws SQLException {
        return PooledDataSource.around(driver.source())
                .min(0)
                .max(1)
                .connectionTimeout(Duration.ZERO)
                .build();
    }

    /** @param unanswered of a call that is shielded: the server is silent, so that the connection is given up */
    private void row(Class<?> type, Method method, boolean shared, boolean unanswered) {
        boolean isShielded = isShielded(type, method);
        // there is a statement to cancel
        boolean isCancelled = unanswered || type == ResultSet.class;
        String name = WaitingMethods.name(type, method)
                + (shared ? ", shared" : "")
                + (unanswered ? ", of a silent server" : "");
        row(name, wait -> {
            var driver = new ScriptedDriver();
            PooledDataSource source = source(driver);
            wait.call(() -> {
                        try {
                            call(driver, source, type, method, shared);
                        } catch (SQLException e) {
                            if (isShielded) delay(1); // where a cancellation is thrown
                            throw e;
                        }
                    })
                    .serve(driver::open);
            leavesAllWhole(wait, driver, source);
            if (isShielded && !isCancelled) wait.lastsToTheEnd();
            if (!isShielded || !isCancelled) wait.ifInterruptedThrows(SQLException.class);
        });
    }

    static void leavesAllWhole(WaitCase wait, ScriptedDriver driver, PooledDataSource source) {
        wait.leaves(() -> {
                    assertThat(driver.faults).isEmpty();
                    assertThat(source.pool().activeCount()).isZero();
                    assertThat(driver.living()).hasSize(source.pool().count()).allMatch(one -> one.traces()
                            .isEmpty());
                })
                .closes(() -> {
                    driver.open();
                    source.close();
                });
    }

    private static void call(
            ScriptedDriver driver, PooledDataSource source, Class<?> type, Method method, boolean shared)
            throws Throwable {
        Connection connection = shared ? source.shared() : source.getConnection();
        try {
            if (isOfTransactions(method)) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("update t set n = 1");
                }
            }
            Object target = MAKERS.get(type).of(connection);
            driver.arm(method);
            if (driver.cancelsFirst) Async.currentCoroutine().cancel();
            invoke(target, method);
            // what was set on the shared one is set when it is needed
            if (shared && method.getName().matches("set(?!Savepoint).*")) connection.isValid(1);
        } finally {
            driver.disarm();
            // the shared one is given back at its next use, or at the end of the coroutine
            if (!shared) {
                connection.close();
                driver.requireLostOnesClosed();
            }
        }
    }

    private static void invoke(Object target, Method method) throws Throwable {
        try {
            method.invoke(target, arguments(method));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static boolean isOfTransactions(Method method) {
        return method.getName().matches("commit|rollback|.*Savepoint");
    }

    /**
     * The methods that come to the driver's method of the same name, in a coroutine.
     *
     * @param cancelled whether a cancellation of the coroutine is due before
     */
    static Set<String> reached(boolean shared, boolean cancelled) {
        var reached = new TreeSet<String>();
        for (Class<?> type : MAKERS.keySet())
            for (Method method : methods(type)) {
                var driver = new ScriptedDriver();
                driver.open();
                driver.cancelsFirst = cancelled;
                Coroutine<?> caller = Scope.inherit().spawn(() -> {
                    try (PooledDataSource source = source(driver)) {
                        call(driver, source, type, method, shared);
                    } catch (Throwable e) {
                        // the cancellation, in this or another form
                    }
                });
                while (!caller.isCompleted()) delay(1);
                if (driver.reached) reached.add(WaitingMethods.name(type, method));
            }
        return reached;
    }

    private static Object[] arguments(Method method) {
        Class<?>[] types = method.getParameterTypes();
        var arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) arguments[i] = value(types[i]);
        // auto-commit is on
        if (method.getName().equals("setAutoCommit")) arguments[0] = false;
        return arguments;
    }

    private static @Nullable Object value(Class<?> type) {
        if (type == Map.class) return Map.of("type", String.class);
        if (type == Properties.class) return new Properties();
        if (type == Executor.class) return (Executor) Runnable::run;
        if (type == Savepoint.class)
            return Proxy.newProxyInstance(
                    DriverWaits.class.getClassLoader(), new Class<?>[] {type}, (self, called, arguments) -> null);
        if (type == ShardingKey.class) return new ShardingKey() {};
        return type.isArray() ? java.lang.reflect.Array.newInstance(type.getComponentType(), 1) : SampleValues.of(type);
    }
}
