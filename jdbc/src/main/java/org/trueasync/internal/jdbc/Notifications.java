package org.trueasync.internal.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;

/** What the driver has heard for a session that listened, and keeps until somebody asks: the next user has not listened for it. */
final class Notifications {
    private static final ClassValue<Method[]> METHODS = new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
            try {
                // PostgreSQL's driver; it takes what it hands out from its list
                return new Method[] {type.getMethod("getNotifications")};
            } catch (NoSuchMethodException | LinkageError unknown) {
                return new Method[0];
            }
        }
    };

    private Notifications() {}

    /**
     * Forgets them.
     *
     * @param connection the driver's, which listens no more
     */
    static void forget(Connection connection) {
        for (Method method : METHODS.get(connection.getClass())) {
            try {
                method.invoke(connection);
            } catch (ReflectiveOperationException | RuntimeException closed) {
                return;
            }
        }
    }
}
