package org.trueasync.bench.peer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections whose calls return at once, so that the pool alone is measured. */
final class NoConnection {

    private NoConnection() {}

    static DataSource source() {
        return made(DataSource.class, (proxy, method, arguments) -> {
            if (method.getReturnType() == Connection.class) return made(Connection.class, NoConnection::answer);
            return answer(proxy, method, arguments);
        });
    }

    private static <T> T made(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(NoConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Answers a call. The first case is what a pool calls for each connection that is given back. */
    private static @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments) {
        Class<?> type = method.getReturnType();
        if (type == void.class) return null;
        return switch (method.getName()) {
            case "isValid", "getAutoCommit" -> true;
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> arguments != null && proxy == arguments[0];
            case "toString" -> "a connection to nowhere";
            default -> {
                if (type == boolean.class) yield false;
                yield type == int.class ? 0 : null;
            }
        };
    }
}
