package org.trueasync.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database of make-believe. Its objects remember what they are set to, answer with nothing in particular otherwise,
 * and misbehave where a test wants them to; each call is noted when it begins, as {@code Connection.commit}. Any thread
 * may call and look.
 */
final class OddDriver implements DataSource {
    /** What a call does instead of what it would. */
    interface Answer {
        @Nullable
        Object to(Fake self, Object[] arguments) throws Throwable;
    }

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Fake> connections = new CopyOnWriteArrayList<>();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** From now on this call does that. */
    OddDriver on(String call, Answer answer) {
        answers.put(call, answer);
        return this;
    }

    /** This call fails as the database wants it. */
    OddDriver fails(String call, Throwable error) {
        return on(call, (self, arguments) -> {
            throw error;
        });
    }

    /** This call waits for ever, or until it is interrupted. */
    OddDriver hangs(String call) {
        return on(call, (self, arguments) -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new SQLException("interrupted", e);
            }
            return null;
        });
    }

    /** As it was in the beginning. */
    void behaves(String call) {
        answers.remove(call);
    }

    long count(String call) {
        return calls.stream().filter(call::equals).count();
    }

    long open() {
        return connections.stream().filter(c -> !c.closed).count();
    }

    @Override
    public Connection getConnection() throws SQLException {
        calls.add("connect");
        var fake = new Fake(Connection.class);
        Answer answer = answers.get("connect");
        if (answer != null) {
            try {
                answer.to(fake, new Object[0]);
            } catch (SQLException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
        connections.add(fake);
        return (Connection) fake.proxy;
    }

    /** What PostgreSQL's connections have beside JDBC's own; null unless a test answers. */
    public interface Transactional {
        Object getTransactionState();
    }

    /** One object of the driver's. */
    final class Fake implements InvocationHandler {
        final Class<?> type;
        final Object proxy;
        final Map<String, Object> state = new HashMap<>();
        volatile boolean closed;

        Fake(Class<?> type) {
            this.type = type;
            Class<?>[] types =
                    type == Connection.class ? new Class<?>[] {type, Transactional.class} : new Class<?>[] {type};
            this.proxy = Proxy.newProxyInstance(OddDriver.class.getClassLoader(), types, this);
            state.put("AutoCommit", true);
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] given) throws Throwable {
            Object[] arguments = given == null ? new Object[0] : given;
            String name = method.getName();
            switch (name) {
                case "hashCode" -> {
                    return System.identityHashCode(self);
                }
                case "equals" -> {
                    return self == arguments[0];
                }
                case "toString" -> {
                    return type.getSimpleName();
                }
                default -> {}
            }
            String call = type.getSimpleName() + "." + name;
            calls.add(call);
            Answer answer = answers.get(call);
            return answer != null ? answer.to(this, arguments) : behave(method, arguments);
        }

        /** What it does unless told otherwise. */
        @Nullable
        Object behave(Method method, Object[] arguments) {
            String name = method.getName();
            switch (name) {
                case "close", "abort", "free" -> {
                    closed = true;
                    return null;
                }
                case "isClosed" -> {
                    return closed;
                }
                case "isValid" -> {
                    return !closed;
                }
                default -> {}
            }
            if (name.startsWith("set") && arguments.length == 1) state.put(name.substring(3), arguments[0]);
            if (arguments.length == 0 && (name.startsWith("get") || name.startsWith("is"))) {
                Object known = state.get(name.substring(name.startsWith("is") ? 2 : 3));
                if (known != null) return known;
            }
            return nothing(method.getReturnType());
        }

        private @Nullable Object nothing(Class<?> result) {
            if (result == boolean.class) return false;
            if (result == int.class) return 0;
            if (result == long.class) return 0L;
            if (result == String.class) return "fake";
            if (result.getPackageName().equals("java.sql") && result.isInterface()) return new Fake(result).proxy;
            return null;
        }
    }

    // ---- the rest of DataSource

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

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
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("not a wrapper");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
