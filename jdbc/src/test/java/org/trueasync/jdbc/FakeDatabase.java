package org.trueasync.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database without data: it counts what the pool does with its connections, and fails as it is told to. */
final class FakeDatabase {
    /** Before a call is answered. */
    interface Disturbance {
        void before(Session session, String call) throws SQLException;
    }

    final List<Session> sessions = new ArrayList<>();
    Disturbance disturbance = (session, call) -> {};
    boolean valid = true;

    /** One physical connection. */
    final class Session implements InvocationHandler {
        final int number = sessions.size() + 1;
        final List<String> calls = new ArrayList<>();
        boolean closed;
        boolean autoCommit = true;

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            String name = method.getName();
            switch (name) {
                case "hashCode":
                    return System.identityHashCode(proxy);
                case "equals":
                    return proxy == (arguments == null ? null : arguments[0]);
                case "toString":
                    return "fake " + number;
                case "isClosed":
                    return proxy instanceof Connection && closed;
                default:
            }
            calls.add(name);
            disturbance.before(this, name);
            if (proxy instanceof Connection && (name.equals("close") || name.equals("abort"))) closed = true;
            if (name.equals("setAutoCommit") && arguments != null) autoCommit = (Boolean) arguments[0];
            if (name.equals("getAutoCommit")) return autoCommit;
            if (name.equals("isValid")) return valid;
            return answer(method.getReturnType(), name);
        }

        private @Nullable Object answer(Class<?> type, String name) {
            if (type == boolean.class) return false;
            if (type == int.class) return 0;
            if (type == long.class) return 0L;
            if (type == String.class) return name;
            if (type == Statement.class || type == PreparedStatement.class || type == DatabaseMetaData.class)
                return proxy(type);
            return null;
        }

        Object proxy(Class<?> type) {
            return Proxy.newProxyInstance(FakeDatabase.class.getClassLoader(), new Class<?>[] {type}, this);
        }
    }

    long open() {
        return sessions.stream().filter(s -> !s.closed).count();
    }

    Session session(int number) {
        return sessions.get(number - 1);
    }

    DataSource source() {
        return new DataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                var session = new Session();
                disturbance.before(session, "connect");
                sessions.add(session);
                return (Connection) session.proxy(Connection.class);
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }

            @Override
            public java.io.PrintWriter getLogWriter() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void setLogWriter(java.io.PrintWriter out) {}

            @Override
            public void setLoginTimeout(int seconds) {}

            @Override
            public int getLoginTimeout() {
                return 0;
            }

            @Override
            public Logger getParentLogger() {
                return Logger.getGlobal();
            }

            @Override
            public <T> T unwrap(Class<T> type) {
                return type.cast(this);
            }

            @Override
            public boolean isWrapperFor(Class<?> type) {
                return type.isInstance(this);
            }
        };
    }
}
