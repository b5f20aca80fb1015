package org.trueasync.jdbc;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;

/**
 * A driver of all of JDBC's interfaces, without data. One call of it waits as its user says, and it notes what a pool
 * must never do to a connection.
 */
final class ScriptedDriver {
    /** What may be called at any time. */
    private static final Set<String> ANY_TIME = Set.of("cancel", "abort", "isClosed");

    /** What ends a connection, or asks what the driver knows. */
    private static final Pattern OF_A_LOST_ONE = Pattern.compile("abort|close|clearWarnings|(get|is)[A-Z].*");

    /** What has a statement to cancel. */
    private static final Pattern CANCELLED_FIRST = Pattern.compile("execute.*|next|getMoreResults");

    final List<Session> sessions = new ArrayList<>();
    /** What was done that must not be. */
    final List<String> faults = new ArrayList<>();

    private final Set<CompletableFuture<Integer>> answers = new LinkedHashSet<>();
    private @Nullable Method waitsIn;
    /** Whether the driver was told to cancel what it waits for. */
    private boolean cancelled;

    /** Whether the method that was armed last was called. */
    boolean reached;

    /** Whether the coroutine that calls is cancelled just before. */
    boolean cancelsFirst;

    private boolean open;

    /** The next call of that method waits, unless the gate is open. */
    void arm(Method method) {
        waitsIn = method;
        reached = false;
    }

    void disarm() {
        waitsIn = null;
    }

    /** From now on nothing waits. */
    void open() {
        open = true;
        for (var answer : List.copyOf(answers)) answer.complete(1);
    }

    List<Session> living() {
        return sessions.stream().filter(session -> !session.closed).toList();
    }

    /** Throws if a connection is open that nobody can use. */
    void requireLostOnesClosed() {
        if (sessions.stream().anyMatch(session -> session.lost && !session.closed))
            throw new AssertionError("a connection that is lost was not closed");
    }

    /** A physical connection. */
    final class Session {
        private final Map<String, Object> settings = new HashMap<>(Map.of("AutoCommit", true));
        private final Set<Object> statements = new LinkedHashSet<>();
        private @Nullable CompletableFuture<Integer> answer;
        private boolean closed;
        /** An answer was left in the middle. */
        private boolean lost;

        private boolean inTransaction;

        /** What is left of its last use; empty if nothing is. */
        List<String> traces() {
            var traces = new ArrayList<String>();
            if (lost) traces.add("lost");
            if (inTransaction) traces.add("a transaction");
            if (!statements.isEmpty()) traces.add("statements");
            settings.forEach((name, value) -> {
                if (!value.equals(
                        name.equals("AutoCommit")
                                ? true
                                : plain(MethodType.methodType(value instanceof Map ? Map.class : value.getClass())
                                        .unwrap()
                                        .returnType()))) traces.add(name + " " + value);
            });
            return traces;
        }

        private boolean isAutoCommit() {
            return Boolean.TRUE.equals(settings.get("AutoCommit"));
        }

        private Object proxy(Class<?> type) {
            return Proxy.newProxyInstance(
                    ScriptedDriver.class.getClassLoader(), new Class<?>[] {type}, new Thing(this, type));
        }

        /** Waits as drivers do: an interrupt ends it, and the session with it. */
        private void ask() throws SQLException {
            var asked = new CompletableFuture<Integer>();
            answers.add(asked);
            answer = asked;
            try {
                asked.get();
            } catch (InterruptedException e) {
                lost = true;
                Thread.currentThread().interrupt();
                // the pool that has sent the interrupt knows what it means
                boolean isByPool = Async.currentCoroutine().isCancellationRequested();
                throw new SQLException("closed by interrupt", isByPool ? "HY000" : "08006", e);
            } catch (ExecutionException e) {
                throw (SQLException) e.getCause();
            } finally {
                answers.remove(asked);
                answer = null;
            }
        }
    }

    /** An object of the driver's. */
    private final class Thing implements InvocationHandler {
        private final Session session;
        private final Class<?> type;
        private boolean closed;

        Thing(Session session, Class<?> type) {
            this.session = session;
            this.type = type;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            String name = method.getName();
            if (method.getDeclaringClass() == Object.class)
                return switch (name) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == Objects.requireNonNull(arguments)[0];
                    default -> "scripted " + type.getSimpleName();
                };
            CompletableFuture<Integer> waiting = session.answer;
            if (waiting != null && !ANY_TIME.contains(name)) faults.add(name + " in the middle of a call");
            if ((session.lost || session.closed) && !OF_A_LOST_ONE.matcher(name).matches())
                faults.add(name + " on a connection that is lost");
            if (name.equals("isClosed")) return closed || session.closed;
            if (name.equals("cancel")) cancelled = true;
            if (name.equals("cancel") && waiting != null)
                waiting.completeExceptionally(new SQLException("cancelled", "57014"));
            // whatever comes of it
            if (type == Connection.class && name.matches("close|abort")) session.closed = true;
            if (isMeant(method)) {
                disarm();
                reached = true;
                if (!open) ask(name);
            }
            note(proxy, name, arguments);
            Class<?> returned = method.getReturnType();
            if (returned.isInterface() && returned.getName().startsWith("java.sql.")) {
                Object made = session.proxy(returned);
                // those that are prepared are kept for the next time
                if (returned == Statement.class || returned == CallableStatement.class) session.statements.add(made);
                return made;
            }
            if (name.equals("isValid")) return true;
            if (type != Connection.class || arguments != null) return plain(returned);
            return session.settings.getOrDefault(setting(name), plain(returned));
        }

        private void ask(String name) throws SQLException {
            cancelled = false;
            try {
                session.ask();
            } catch (SQLException e) {
                boolean isByPool = session.lost && Async.currentCoroutine().isCancellationRequested();
                if (isByPool && !cancelled && CANCELLED_FIRST.matcher(name).matches())
                    faults.add(name + " was interrupted, and not cancelled before");
                if (!name.equals("setClientInfo")) throw e;
                throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
            }
        }

        private boolean isMeant(Method method) {
            return waitsIn != null
                    && waitsIn.getName().equals(method.getName())
                    && waitsIn.getDeclaringClass().isAssignableFrom(type)
                    && List.of(waitsIn.getParameterTypes()).equals(List.of(method.getParameterTypes()));
        }

        private void note(Object proxy, String name, Object @Nullable [] arguments) {
            boolean executes = name.startsWith("execute")
                    || name.equals("setSavepoint")
                    || name.matches("(insert|update|delete)Row");
            if (executes && !session.isAutoCommit()) session.inTransaction = true;
            if (name.equals("close")) {
                closed = true;
                session.statements.remove(proxy);
            }
            if (type != Connection.class) return;
            if (name.equals("commit") || (name.equals("rollback") && arguments == null)) session.inTransaction = false;
            if (name.startsWith("set") && arguments != null && !name.equals("setSavepoint"))
                session.settings.put(setting(name), arguments[arguments.length - 1]);
            if (session.isAutoCommit()) session.inTransaction = false;
        }

        private static String setting(String name) {
            return name.replaceFirst("^(get|set|is)", "");
        }
    }

    private static @Nullable Object plain(Class<?> type) {
        if (type == boolean.class) return false;
        if (type == int.class) return 0;
        if (type == long.class) return 0L;
        if (type == short.class) return (short) 0;
        if (type == byte.class) return (byte) 0;
        if (type == float.class) return 0f;
        if (type == double.class) return 0d;
        if (type == String.class) return "";
        if (type == Properties.class) return new Properties();
        if (type == Map.class) return Map.of();
        return type.isArray() ? Array.newInstance(type.getComponentType(), 0) : null;
    }

    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                ScriptedDriver.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) return null;
                    var session = new Session();
                    sessions.add(session);
                    return session.proxy(Connection.class);
                });
    }
}
