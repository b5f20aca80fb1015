package org.trueasync.internal.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks once more for a statement to be cancelled. */
final class ServerRequest {
    /** PostgreSQL's driver, whose statements ask for it only once. */
    private static final DriverMethod CANCEL = new DriverMethod("cancelQuery");

    private ServerRequest() {}

    /**
     * Asks.
     *
     * @param statement the driver's, under way, and asked already
     */
    static void cancel(Statement statement) throws SQLException {
        Connection connection = statement.getConnection();
        Method method = CANCEL.of(connection);
        if (method == null) {
            statement.cancel();
            return;
        }
        try {
            method.invoke(connection);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) throw cause;
            throw new SQLException("the driver failed to cancel", e.getCause());
        } catch (IllegalAccessException | RuntimeException inaccessible) {
            statement.cancel();
        }
    }
}
