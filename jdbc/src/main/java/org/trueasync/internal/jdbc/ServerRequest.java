package org.trueasync.internal.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks once more for a statement to be cancelled. */
final class ServerRequest {
    private static final ClassValue<Method[]> METHODS = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            try {
                // PostgreSQL's driver, whose statements ask for it only once
                return new Method[] {type.getMethod("cancelQuery")};
            } catch (NoSuchMethodException | LinkageError unknown) {
                return new Method[0];
            }
        }
    };

    private ServerRequest() {}

    /**
     * Asks.
     *
     * @param statement the driver's, under way, and asked already
     */
    static void cancel(Statement statement) throws SQLException {
        Connection connection = statement.getConnection();
        Method[] method = METHODS.get(connection.getClass());
        if (method.length == 0) {
            statement.cancel();
            return;
        }
        try {
            method[0].invoke(connection);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) throw cause;
            throw new SQLException("the driver failed to cancel", e.getCause());
        } catch (IllegalAccessException | RuntimeException inaccessible) {
            statement.cancel();
        }
    }
}
