package org.trueasync.internal.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A public method without parameters that some driver's connections have in addition to JDBC's. Looked up once for each
 * class.
 */
final class DriverMethod {
    private final String name;
    private final ClassValue<Optional<Method>> found = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            try {
                return Optional.of(type.getMethod(name));
            } catch (NoSuchMethodException | LinkageError unknown) {
                return Optional.empty();
            }
        }
    };

    DriverMethod(String name) {
        this.name = name;
    }

    /** Returns the method; null if this connection's class has none. */
    @Nullable
    Method of(Connection connection) {
        return found.get(connection.getClass()).orElse(null);
    }

    /** Calls the method and returns its value; null also if there is no such method, or it fails. */
    @Nullable
    Object resultOn(Connection connection) {
        Method method = of(connection);
        if (method == null) return null;
        try {
            return method.invoke(connection);
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }
}
