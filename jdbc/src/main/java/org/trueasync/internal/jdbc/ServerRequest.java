package org.trueasync.internal.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Repeats the request to cancel a statement. */
final class ServerRequest {
    /** The method of PostgreSQL's driver, whose statements send the request only once. */
    private static final DriverMethod CANCEL = new DriverMethod("cancelQuery");

    private ServerRequest() {}

    /**
     * Sends the request again.
     *
     * @param statement the driver's; it runs, and its {@code cancel} was called before
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
