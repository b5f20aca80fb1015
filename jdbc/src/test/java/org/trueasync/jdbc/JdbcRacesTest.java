package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.PoolException;
import org.trueasync.races.Orders;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

/** A pool of a driver that waits and fails as the seed has it, and users that leave at any time. */
@Tag("sized")
@Timeout(100)
class JdbcRacesTest {
    /** The calls for which the driver asks its server. */
    private static final List<String> ASKING =
            List.of("connect", "execute", "commit", "rollback", "isValid", "setAutoCommit");

    private static final class World {
        final RandomGenerator random = Schedules.random();
        final int max = 1 + random.nextInt(2);
        final boolean fails = random.nextInt(3) == 0;
        final FakeDatabase database = new FakeDatabase();
        final List<Coroutine<?>> users = new ArrayList<>();
        /** Who is in a call of the session. */
        final Map<FakeDatabase.Session, Coroutine<?>> busy = new HashMap<>();
        /** Whose transaction is open in the session. */
        final Map<FakeDatabase.Session, Coroutine<?>> begun = new HashMap<>();

        final List<FakeDatabase.Session> dead = new ArrayList<>();
        final PooledDataSource source = build();

        private PooledDataSource build() {
            database.disturbance = this::call;
            try {
                return PooledDataSource.around(database.source())
                        .min(0)
                        .max(max)
                        .connectionTimeout(Duration.ZERO)
                        .build();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        private void call(FakeDatabase.Session session, String call) throws SQLException {
            if (!ASKING.contains(call)) return;
            Coroutine<?> caller = Async.currentCoroutine();
            assertThat(busy.put(session, caller)).as("two in one session").isNull();
            assertThat(dead).as("a dead session is used").doesNotContain(session);
            Coroutine<?> owner = begun.get(session);
            if (call.equals("execute") && owner != null)
                assertThat(owner).as("the transaction of another one").isSameAs(caller);
            boolean done = false;
            try {
                if (random.nextInt(3) == 0) ask();
                if (fails && random.nextInt(12) == 0) throw new SQLException("lost", "08006");
                done = true;
            } finally {
                busy.remove(session);
                if (!done) dead.add(session);
            }
            if (call.equals("execute") && !session.autoCommit) begun.put(session, caller);
            if (call.equals("commit") || call.equals("rollback")) begun.remove(session);
        }

        /** Waits as drivers do: an interrupt ends it, and the session with it. */
        private static void ask() throws SQLException {
            var answer = new CompletableFuture<@Nullable Object>();
            Outside.happens(() -> answer.complete(null));
            try {
                answer.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("closed by interrupt", "08006", e);
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
        }

        void user(boolean shared) {
            users.add(Async.spawn(() -> {
                if (random.nextBoolean()) Async.await(Outside.completes(null));
                try {
                    use(shared ? source.shared() : source.getConnection());
                } catch (SQLException | PoolException e) {
                    assertThat(fails
                                    || source.pool().isClosed()
                                    || Async.currentCoroutine().isCancellationRequested())
                            .as(e.toString())
                            .isTrue();
                }
            }));
        }

        private void use(Connection connection) throws SQLException {
            boolean transaction = random.nextBoolean();
            if (transaction) connection.setAutoCommit(false);
            for (int i = random.nextInt(3); i >= 0; i--) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("x");
                }
                if (random.nextInt(3) == 0) Async.await(Outside.completes(null));
            }
            if (transaction && random.nextBoolean()) connection.commit();
            if (random.nextBoolean()) connection.close(); // else its end gives it back
        }

        void someoneLeaves() {
            Outside.happens(users.get(random.nextInt(users.size()))::cancel);
        }

        void everybodyEnds() {
            for (Coroutine<?> user : users) {
                try {
                    Async.await(user);
                } catch (AsyncCancellation e) {
                    assertThat(user.isCancelled()).isTrue();
                }
            }
            // a health check may have one just now
            for (int i = 0; i < 100 && source.pool().activeCount() > 0; i++) Async.delay(1);
            assertThat(source.pool().activeCount()).isZero();
            assertThat(busy).isEmpty();
            assertThat(database.open()).isEqualTo(source.pool().count());
        }

        void play(boolean shared) {
            for (int i = random.nextInt(5); i >= 0; i--) user(shared);
            for (int i = random.nextInt(3); i > 0; i--) someoneLeaves();
            everybodyEnds();
            assertThat(begun.keySet()).as("a transaction is left open").allMatch(session -> session.closed);
            source.close();
            assertThat(database.open()).isZero();
        }
    }

    @Test
    @Tag("P33")
    @Tag("F2")
    void usersLeaveAtAnyTime_eachSessionHasOneUserAndComesBackWithoutATransaction() {
        Orders.exploreSome(() -> new World().play(false));
    }

    @Test
    @Tag("P34")
    @Tag("F2")
    void usersOfTheSharedConnectionLeaveAtAnyTime_noTransactionIsMixedWithAnother() {
        Orders.exploreSome(() -> new World().play(true));
    }

    @Test
    @Tag("P14")
    @Tag("F1")
    void closedAtAnyTime_everybodyEndsAndNoSessionIsLeft() {
        Orders.exploreSome(() -> {
            var world = new World();
            for (int i = world.random.nextInt(5); i >= 0; i--) world.user(world.random.nextBoolean());
            if (world.random.nextBoolean()) world.someoneLeaves();
            Outside.happens(world.source::close);
            world.everybodyEnds();
            Orders.settle();
            assertThat(world.source.pool().isClosed()).isTrue();
            assertThat(world.database.open()).isZero();
        });
    }
}
