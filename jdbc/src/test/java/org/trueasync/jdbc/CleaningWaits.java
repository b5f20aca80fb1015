package org.trueasync.jdbc;

import static org.trueasync.Async.delay;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.trueasync.internal.testkit.WaitTable;

/** Waits of a pool for what it does itself: it cleans a connection that is given back, and checks one that was idle. */
final class CleaningWaits extends WaitTable {
    /** What a user does before a close, and leaves open. */
    private interface Use {
        AutoCloseable of(Connection connection) throws SQLException;
    }

    CleaningWaits() {
        closing("Connection.close(), which rolls back", Connection.class, "rollback", CleaningWaits::begin);
        closing("Connection.close(), in a transaction", Connection.class, "setAutoCommit", CleaningWaits::begin);
        closing("Connection.close(), which closes a statement", Statement.class, "close", Connection::createStatement);
        closing(
                "Connection.close(), which closes a call",
                Statement.class,
                "close",
                connection -> connection.prepareCall("call f()"));
        for (String method : List.of("clearParameters", "clearBatch", "clearWarnings"))
            for (String closes : List.of("Connection", "PreparedStatement"))
                closing(
                        closes + ".close(), in " + method,
                        PreparedStatement.class,
                        method,
                        connection -> connection.prepareStatement("select 1"));
        closing(
                "PreparedStatement.close(), in its result's",
                ResultSet.class,
                "close",
                connection -> connection.prepareStatement("select 1"));
        closing("Connection.close(), which restores", Connection.class, "setReadOnly", CleaningWaits::readOnly);
        closing(
                "Connection.close(), which ends it",
                Connection.class,
                "close",
                connection -> executed(connection, "set a = 1"));
        checking();
    }

    private static Connection begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        return executed(connection, "update t set n = 1");
    }

    private static Connection executed(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return connection;
    }

    private static Connection readOnly(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        return connection;
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name))
                .min(Comparator.comparing(Method::getParameterCount))
                .orElseThrow();
    }

    /** @param row begins with the type of what is closed */
    private void closing(String row, Class<?> type, String name, Use use) {
        for (boolean unanswered : new boolean[] {false, true})
            row(row + (unanswered ? ", of a silent server" : ""), wait -> {
                var driver = new ScriptedDriver();
                PooledDataSource source = DriverWaits.source(driver);
                wait.call(() -> {
                            Connection connection = source.getConnection();
                            AutoCloseable used = use.of(connection);
                            driver.arm(method(type, name));
                            try {
                                if (!row.startsWith("Connection")) used.close();
                                connection.close();
                            } finally {
                                driver.disarm();
                                connection.close();
                                delay(1); // where a cancellation is thrown
                            }
                        })
                        .serve(driver::open);
                DriverWaits.leavesAllWhole(wait, driver, source);
                if (!unanswered) wait.lastsToTheEnd().ifInterruptedThrows(SQLException.class);
            });
    }

    private void checking() {
        row("PooledDataSource.getConnection(), which checks", wait -> {
            var driver = new ScriptedDriver();
            PooledDataSource source = DriverWaits.source(driver);
            source.getConnection().close();
            delay(1_000);
            wait.call(() -> {
                        driver.arm(method(Connection.class, "isValid"));
                        try {
                            source.getConnection().close();
                        } finally {
                            driver.disarm();
                        }
                    })
                    .serve(driver::open);
            DriverWaits.leavesAllWhole(wait, driver, source);
        });
    }
}
