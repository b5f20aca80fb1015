package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.CircuitBreakerStrategy;

/**
 * Every method of the public types, and of what they hand out, called by reflection on eight threads that belong to no
 * runtime while a coroutine uses the database all the time: each call answers or refuses, none hangs, and the
 * coroutine's work is undisturbed.
 */
@Timeout(120)
class EveryMethodTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 3;

    /** What the data source answers anywhere: it never changes, or belongs to nobody. */
    private static final Set<String> ANY_THREAD = Set.of(
            "PooledDataSource.around",
            "PooledDataSource.forUrl",
            "PooledDataSource.pool",
            "PooledDataSource.min",
            "PooledDataSource.max",
            "PooledDataSource.getConnection",
            "PooledDataSource.close",
            "PooledDataSource.shared",
            "PooledDataSource.getLogWriter",
            "PooledDataSource.setLogWriter",
            "PooledDataSource.getLoginTimeout",
            "PooledDataSource.getParentLogger",
            "PooledDataSource.createConnectionBuilder",
            "PooledDataSource.createShardingKeyBuilder",
            "PooledDataSource.unwrap",
            "PooledDataSource.isWrapperFor",
            "PooledDataSource.toString",
            "Builder");

    /**
     * What may be asked of anything that is handed out, on any thread: to stop what goes on there, and where it
     * belongs.
     */
    private static final Set<String> OF_ANYTHING =
            Set.of("abort", "cancel", "isClosed", "isWrapperFor", "getConnection", "getStatement");

    private final Set<String> failures = new ConcurrentSkipListSet<>();
    private final Set<String> answered = new ConcurrentSkipListSet<>();
    private final Map<Class<?>, Object> made = new LinkedHashMap<>();

    private record Call(Class<?> type, Method method, Object target) {
        String name() {
            return type.getSimpleName() + "." + method.getName();
        }

        boolean isAnyThreads() {
            return (type.getName().startsWith("java.sql.") && OF_ANYTHING.contains(method.getName()))
                    || ANY_THREAD.contains(name())
                    || ANY_THREAD.contains(type.getSimpleName());
        }
    }

    @Test
    @Tag("P31")
    @Tag("K1")
    void everyMethod_onEightThreads_answersOrRefuses() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl("jdbc:h2:mem:every;DB_CLOSE_DELAY=-1")
                            .max(2)
                            .build();
                    Connection connection = db.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table t(id int primary key, n int)");
                statement.execute("insert into t values (1, 0)");
                PreparedStatement query = connection.prepareStatement("select n from t where id = ?");
                query.setInt(1, 1);
                ResultSet row = query.executeQuery();
                made.put(PooledDataSource.class, db);
                made.put(PooledDataSource.Builder.class, PooledDataSource.forUrl("jdbc:h2:mem:other"));
                made.put(Connection.class, connection);
                made.put(Statement.class, statement);
                made.put(PreparedStatement.class, query);
                made.put(ResultSet.class, row);
                made.put(DatabaseMetaData.class, connection.getMetaData());
                made.put(ResultSetMetaData.class, row.getMetaData());
                List<Call> calls = calls();
                assertThat(calls).hasSizeGreaterThan(500);
                var threads = new ArrayList<Thread>();
                for (int i = 0; i < THREADS; i++) {
                    int seed = i;
                    threads.add(Thread.ofPlatform().daemon().start(() -> callAll(calls, seed)));
                }
                int updates = 0;
                try (Statement update = connection.createStatement()) {
                    while (threads.stream().anyMatch(Thread::isAlive)) {
                        update.executeUpdate("update t set n = n + 1");
                        updates++;
                        if (updates % 1_000 == 0) Async.delay(1);
                    }
                }
                assertThat(answered)
                        .as("what refuses nobody, and is not among what any thread may ask")
                        .isEmpty();
                try (ResultSet after = query.executeQuery()) {
                    assertThat(after.next()).isTrue();
                    assertThat(after.getInt(1)).isEqualTo(updates).isPositive();
                }
                assertThat(connection.isClosed()).isFalse();
            }
        });
        assertThat(failures).as("neither an answer nor a refusal").isEmpty();
    }

    private List<Call> calls() {
        var calls = new ArrayList<Call>();
        made.forEach((type, target) -> {
            for (Method method : type.getMethods()) {
                if (method.isBridge() || method.getDeclaringClass() == Object.class) continue;
                method.setAccessible(true);
                calls.add(new Call(type, method, target));
            }
        });
        return calls;
    }

    private void callAll(List<Call> calls, long seed) {
        var mine = new ArrayList<>(calls);
        Collections.shuffle(mine, new Random(seed));
        for (int i = 0; i < ROUNDS; i++) for (Call call : mine) make(call);
    }

    private void make(Call call) {
        try {
            call.method.invoke(call.target, arguments(call.method));
            if (!call.isAnyThreads()) answered.add(call.name());
        } catch (InvocationTargetException e) {
            if (!isRefusal(e.getCause())) failures.add(call.name() + ": " + e.getCause());
        } catch (Throwable e) {
            failures.add(call.name() + " can't be called: " + e);
        }
    }

    private static boolean isRefusal(Throwable thrown) {
        return thrown instanceof SQLException
                || thrown instanceof AsyncException
                || thrown instanceof IllegalArgumentException
                || thrown instanceof UnsupportedOperationException;
    }

    private static Object[] arguments(Method method) {
        Class<?>[] types = method.getParameterTypes();
        var arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) arguments[i] = value(types[i]);
        return arguments;
    }

    private static @Nullable Object value(Class<?> type) {
        if (type == Duration.class) return Duration.ofSeconds(1);
        if (type == CircuitBreakerStrategy.class || type == Savepoint.class || type == DataSource.class)
            return proxy(type);
        return SampleValues.of(type);
    }

    private static Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> null);
    }
}
