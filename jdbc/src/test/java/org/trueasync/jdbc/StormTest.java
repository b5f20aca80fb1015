package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * A driver that waits and fails at random, for coroutines that are cancelled at random: nothing is lost, and no two
 * have the same connection.
 */
@Timeout(100)
class StormTest {
    private static final List<String> CALLS = List.of(
            "connect",
            "Connection.isValid",
            "Connection.rollback",
            "Connection.commit",
            "Connection.close",
            "Connection.setAutoCommit",
            "Connection.createStatement",
            "Connection.prepareStatement",
            "Connection.setReadOnly",
            "Statement.execute",
            "Statement.close",
            "PreparedStatement.executeQuery",
            "PreparedStatement.close",
            "ResultSet.next",
            "ResultSet.close",
            "Statement.cancel",
            "PreparedStatement.cancel");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Tag("P34")
    @Tag("F2")
    @Tag("F62")
    void everythingAtRandom_nothingIsLost(long seed) {
        var random = new Random(seed);
        var odd = new OddDriver();
        Async.run(() -> {
            var db = PooledDataSource.around(odd)
                    .max(3)
                    .connectionTimeout(Duration.ofMillis(200))
                    .validationTimeout(Duration.ofMillis(20))
                    .maxLifetime(Duration.ofMillis(50))
                    .build();
            for (String call : CALLS)
                odd.on(call, (self, arguments) -> {
                    misbehave(random.nextInt(100), call);
                    if (call.equals("connect")) return null;
                    String name = call.substring(call.indexOf('.') + 1);
                    for (var m : self.type.getMethods())
                        if (m.getName().equals(name) && m.getParameterCount() == arguments.length)
                            return self.behave(m, arguments);
                    throw new AssertionError(call);
                });
            var all = new ArrayList<Coroutine<?>>();
            for (int round = 0; round < 300; round++) {
                int way = random.nextInt(4);
                all.add(Async.spawn(() -> {
                    try {
                        use(db, way);
                    } catch (SQLException | IllegalStateException | AbstractMethodError e) {
                        // as told
                    }
                }));
                if (random.nextInt(3) == 0) all.get(random.nextInt(all.size())).cancel();
                if (random.nextInt(4) == 0) Async.suspend();
                if (all.size() >= 30) awaitAll(all, db);
            }
            awaitAll(all, db);
            for (String call : CALLS) odd.behaves(call);
            db.close();
            assertThat(db.pool().count()).isZero();
        });
    }

    private static void misbehave(int dice, String call) throws SQLException, InterruptedException {
        if (dice < 30) Thread.sleep(0, 200_000);
        switch (dice) {
            case 30 -> Thread.sleep(30);
            case 31 -> throw new SQLException("lost", "08006");
            case 32 -> throw new SQLException("refused", "42000");
            case 33 -> throw new IllegalStateException("bug in " + call);
            case 34 -> throw new AbstractMethodError(call);
            default -> {}
        }
    }

    private static void use(PooledDataSource db, int way) throws SQLException {
        Connection c = way == 0 ? db.shared() : db.getConnection();
        if (way == 2) c.setAutoCommit(false);
        if (way == 3) c.setReadOnly(true);
        Sql.execute(c, "insert into t values (1)");
        try (var statement = c.prepareStatement("select 1");
                var row = statement.executeQuery()) {
            row.next();
        }
        if (way == 2) c.commit();
        if (way == 1) c.close();
    }

    private static void awaitAll(List<Coroutine<?>> all, PooledDataSource db) {
        for (Coroutine<?> one : all) {
            try {
                Async.await(one);
            } catch (AsyncCancellation | IllegalStateException | AbstractMethodError e) {
                // of its own, or thrown by giving back what it had
            }
        }
        all.clear();
        assertThat(db.pool().activeCount()).isZero();
        assertThat(db.pool().count()).isLessThanOrEqualTo(3);
    }
}
