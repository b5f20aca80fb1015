package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Coroutine;

/** How many connections there are, who gets the next one, how long they live, and the end of the data source. */
@Tag("P38")
class PostgresPoolTest {
    private static final String ROLE = "pooling";

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void role() {
        server.role(ROLE, 3);
    }

    private static PooledDataSource.Builder pool(int max) {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(max);
    }

    @Test
    @Tag("P30")
    void built_nothingConnectsUntilTheFirstUse() {
        Async.run(() -> {
            try (var db = pool(3).build()) {
                assertThat(server.connections(ROLE)).isZero();
                Connection shared = db.shared();
                assertThat(server.connections(ROLE)).isZero();
                Sql.execute(shared, "select 1");
                assertThat(server.connections(ROLE)).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P30")
    void min_connectsWhenBuilt() {
        Async.run(() -> {
            try (var db = pool(3).min(2).build()) {
                assertThat(server.connections(ROLE)).isEqualTo(2);
                assertThat(db.pool().idleCount()).isEqualTo(2);
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    @Test
    @Tag("F60")
    void crowd_neverMoreThanMaxOnTheServersOwnCount() {
        // the server lets in no more than 3, and nobody hears of a refusal
        Async.run(() -> {
            try (var db = pool(3).build()) {
                var users = new ArrayList<Coroutine<?>>();
                int[] most = {0};
                for (int i = 0; i < 300; i++) {
                    int n = i;
                    users.add(spawn(() -> {
                        try (Connection c = db.getConnection()) {
                            if (n % 10 == 0)
                                most[0] = Math.max(
                                        most[0],
                                        Sql.number(
                                                c, "select count(*) from pg_stat_activity where usename = 'pooling'"));
                            if (n % 17 == 0) Sql.execute(c, "select pg_terminate_backend(pg_backend_pid())");
                        } catch (SQLException e) {
                            assertThat(e.getSQLState()).isEqualTo("57P01");
                        }
                    }));
                }
                awaitAllOrFail(users);
                assertThat(most[0]).isBetween(1, 3);
                assertThat(db.pool().count()).isLessThanOrEqualTo(3);
                try (Connection one = db.getConnection();
                        Connection two = db.getConnection();
                        Connection three = db.getConnection()) {
                    for (Connection c : List.of(one, two, three)) Sql.execute(c, "select 1");
                    assertThat(db.pool().count()).isEqualTo(3);
                    server.awaitConnections(ROLE, 3);
                }
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    @Test
    @Tag("F61")
    void serverIsFullForAMoment_connectingIsTriedAgain() {
        server.role(ROLE, 1);
        Async.run(() -> {
            Connection foreign = java.sql.DriverManager.getConnection(server.url() + "?user=" + ROLE);
            try (var db = pool(1).connectionTimeout(Duration.ofSeconds(100)).build()) {
                var patient = spawn(() -> Sql.number(db.shared(), "select 1"));
                for (int i = 0; i < 20; i++) server.connections(ROLE);
                assertThat(patient.isCompleted()).isFalse();
                foreign.close();
                assertThat(await(patient)).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("deep")
    @Tag("F61")
    void serverStaysFull_itsReasonIsToldInTime() {
        server.role(ROLE, 1);
        Async.run(() -> {
            try (Connection foreign = java.sql.DriverManager.getConnection(server.url() + "?user=" + ROLE);
                    var db = pool(1).connectionTimeout(Duration.ofSeconds(10)).build()) {
                assertThatThrownBy(() -> db.getConnection())
                        .isInstanceOf(SQLException.class)
                        .satisfies(e -> assertThat(chain(e)).contains("too many connections for role"));
                assertThat(db.pool().count()).isZero();
                assertThat(foreign.isValid(30)).isTrue();
            }
        });
    }

    /** All messages of an error and its causes. */
    private static String chain(Throwable error) {
        var all = new StringBuilder();
        for (Throwable e = error; e != null; e = e.getCause()) all.append(e).append('\n');
        return all.toString();
    }

    @Test
    void allInUse_servedInTheOrderOfTheirCalls() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                var order = new ArrayList<Integer>();
                var users = new ArrayList<Coroutine<?>>();
                var expected = new ArrayList<Integer>();
                try (Connection held = db.getConnection()) {
                    for (int i = 0; i < 50; i++) {
                        int n = i;
                        expected.add(n);
                        users.add(spawn(() -> {
                            if (n % 2 == 0) {
                                try (Connection c = db.getConnection()) {
                                    order.add(n);
                                    Sql.execute(c, "select 1");
                                }
                            } else {
                                try (var statement = db.shared().createStatement()) {
                                    statement.execute("select 1");
                                    order.add(n);
                                }
                            }
                        }));
                    }
                    Sql.execute(held, "select pg_sleep(0.05)");
                }
                awaitAllOrFail(users);
                assertThat(order).isEqualTo(expected);
            }
        });
    }

    @Test
    void nothingFreeInTime_theMessageSaysHowThingsAre() {
        Async.run(() -> {
            try (var db = pool(1).name("orders")
                            .connectionTimeout(Duration.ofSeconds(1))
                            .build();
                    Connection held = Sql.first(db)) {
                assertThatThrownBy(() -> db.getConnection())
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("'orders'")
                        .hasMessageContaining("1000 ms")
                        .hasMessageContaining("max=1")
                        .hasMessageContaining("active=1");
                assertThat(held.isValid(30)).isTrue();
                assertThat(db.pool().stats().waiting()).isZero();
            }
        });
    }

    @Test
    @Tag("F61")
    void serverThatNeverAnswers_connectionTimeoutHolds() throws IOException {
        try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Async.run(() -> {
                try (var db = PooledDataSource.forUrl(
                                "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/postgres")
                        .user(ROLE)
                        .max(1)
                        .connectionTimeout(Duration.ofMillis(200))
                        .build()) {
                    for (int i = 0; i < 2; i++)
                        assertThatThrownBy(() -> db.getConnection()).isInstanceOf(SQLException.class);
                }
            });
        }
    }

    @Test
    void closedWhileConnectionsAreHeld_theyCloseOnReturn() {
        Async.run(() -> {
            var db = pool(3).build();
            Connection own = db.getConnection();
            db.getConnection().close();
            Connection shared = db.shared();
            shared.setAutoCommit(false);
            Sql.execute(shared, "create temporary table t(n int)");
            db.close();
            db.close();
            assertThat(Sql.number(own, "select 1")).isEqualTo(1);
            Sql.execute(shared, "insert into t values (1)");
            shared.commit();
            server.awaitConnections(ROLE, 1);
            assertThatThrownBy(() -> Sql.execute(shared, "select 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> db.getConnection())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("closed");
            own.close();
            server.awaitConnections(ROLE, 0);
        });
    }

    @Test
    void closedWhileOthersWait_theyHearOfIt() {
        Async.run(() -> {
            var db = pool(1).build();
            Connection held = db.getConnection();
            var waiting =
                    List.of(spawn(() -> db.getConnection().close()), spawn(() -> Sql.execute(db.shared(), "select 1")));
            delay(1);
            db.close();
            for (Coroutine<?> one : waiting)
                assertThatThrownBy(() -> awaitQuietly(one)).isInstanceOf(SQLException.class);
            held.close();
            server.awaitConnections(ROLE, 0);
        });
    }

    /** With what the coroutine itself has thrown. */
    private static void awaitQuietly(Coroutine<?> one) throws Throwable {
        try {
            await(one);
        } catch (java.util.concurrent.CompletionException e) {
            throw e.getCause();
        }
    }

    @Test
    void neverClosed_nothingIsLeftOnTheServerAfterTheRun() {
        Async.run(() -> {
            var db = pool(3).build();
            Sql.execute(db.shared(), "select 1");
            Sql.execute(db.shared(), "begin");
            spawn(() -> {
                Connection c = db.getConnection();
                c.setAutoCommit(false);
                Sql.execute(c, "select 1");
            });
        });
        server.awaitConnections(ROLE, 0);
    }

    @Test
    void endedByAnError_nothingIsLeftOnTheServerAfterTheRun() {
        assertThatThrownBy(() -> Async.run(() -> {
                    var db = pool(3).build();
                    spawn(() -> Sql.execute(db.shared(), "begin", "select pg_sleep(600)"));
                    spawn(() -> Sql.execute(db.getConnection(), "select pg_sleep(600)"));
                    PostgresServer.suspendUntil("two busy connections", () -> server.busy(ROLE) == 2);
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        server.awaitConnections(ROLE, 0);
    }

    @Test
    @Tag("P31")
    void coroutinesConnectionUsedByAnotherThread_refused() {
        Async.run(() -> {
            try (var db = pool(3).build();
                    Connection c = db.getConnection()) {
                blocking(() -> {
                    assertThatThrownBy(() -> db.shared().createStatement()).isInstanceOf(SQLException.class);
                    assertThatThrownBy(() -> c.createStatement()).isInstanceOf(SQLException.class);
                    assertThatThrownBy(() -> c.close()).isInstanceOf(SQLException.class);
                });
                assertThat(Sql.number(c, "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    void olderThanItsLifetime_replaced() {
        Async.run(() -> {
            try (var db = pool(1).maxLifetime(Duration.ofMillis(300)).build()) {
                int before = Sql.pid(db.shared());
                delay(Duration.ofMillis(400));
                assertThat(Sql.pid(db.shared())).isNotEqualTo(before);
                // the server notices a moment later that the old one was closed
                server.awaitConnections(ROLE, 1);
            }
        });
    }

    @Test
    void idleForLong_goesUntilMinIsLeft() {
        Async.run(() -> {
            try (var db = pool(3).min(1)
                    .idleTimeout(Duration.ofMillis(100))
                    .healthcheckInterval(Duration.ofMillis(50))
                    .build()) {
                var held = List.of(db.getConnection(), db.getConnection(), db.getConnection());
                for (Connection one : held) one.close();
                assertThat(db.pool().count()).isEqualTo(3);
                while (db.pool().count() > 1) delay(5);
                server.awaitConnections(ROLE, 1);
                delay(200);
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }
}
