package org.trueasync.internal.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Whether a transaction is open, as the driver sees it, which learns it from the server where the protocol says so. */
final class TransactionState {
    private static final ClassValue<Method[]> METHODS = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            try {
                // PostgreSQL's driver: IDLE, OPEN or FAILED, from the server's last answer
                return new Method[] {type.getMethod("getTransactionState")};
            } catch (NoSuchMethodException | LinkageError unknown) {
                return new Method[0];
            }
        }
    };

    private TransactionState() {}

    /**
     * True if one is open.
     *
     * @param connection the driver's
     * @param believed what the texts of statements tell: the answer of drivers that don't know
     */
    static boolean isOpen(Connection connection, boolean believed) {
        Object state = ofDriver(connection);
        return state == null ? believed : !"IDLE".equals(state.toString());
    }

    private static @Nullable Object ofDriver(Connection connection) {
        Method[] method = METHODS.get(connection.getClass());
        if (method.length == 0) return null;
        try {
            return method[0].invoke(connection);
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }
}
