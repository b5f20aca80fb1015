package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * A coroutine is cancelled while the server works for it: it gets its cancellation, the server stops, and nobody meets
 * the rest of the answer.
 */
@Tag("P34")
@Tag("F62")
class PostgresCancellationTest {
    private static final String ROLE = "cancelled";

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void table() {
        server.role(ROLE, -1);
        server.executeAs(ROLE, "create table thing(n int)");
    }

    private static PooledDataSource.Builder one() {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(1);
    }

    private enum Work {
        QUERY {
            @Override
            void on(Connection c) throws Exception {
                Sql.execute(c, "select pg_sleep(600)");
            }
        },
        PREPARED {
            @Override
            void on(Connection c) throws Exception {
                try (var prepared = c.prepareStatement("select pg_sleep(?)")) {
                    prepared.setInt(1, 600);
                    prepared.executeQuery();
                }
            }
        },
        IN_A_TRANSACTION {
            @Override
            void on(Connection c) throws Exception {
                c.setAutoCommit(false);
                Sql.execute(c, "insert into thing values (1)", "select pg_sleep(600)");
            }
        },
        BATCH {
            @Override
            void on(Connection c) throws Exception {
                try (var batch = c.createStatement()) {
                    batch.addBatch("insert into thing values (1)");
                    batch.addBatch("do $$ begin perform pg_sleep(600); end $$");
                    batch.addBatch("insert into thing values (2)");
                    batch.executeBatch();
                }
            }
        },
        HALF_AN_ANSWER {
            @Override
            void on(Connection c) throws Exception {
                Sql.execute(
                        c,
                        "select repeat('x', 1000), case when n = 3000 then pg_sleep(600) end from generate_series(1, 6000) n");
            }
        },
        LOCK {
            @Override
            void on(Connection c) throws Exception {
                Sql.execute(c, "select pg_advisory_lock(99)");
            }
        };

        abstract void on(Connection c) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void busySession_coroutineGetsItsCancellationAndTheServerStops(Work work) {
        cancelled(work, false);
    }

    @ParameterizedTest
    @EnumSource
    void busySharedConnection_coroutineGetsItsCancellationAndTheServerStops(Work work) {
        cancelled(work, true);
    }

    private static void cancelled(Work work, boolean shared) {
        Async.run(() -> {
            try (var holder = server.superuser();
                    var db = one().build()) {
                Sql.execute(holder, "select pg_advisory_lock(99)");
                var caught = new AtomicReference<Throwable>();
                Coroutine<?> victim = spawn(() -> {
                    try (Connection c = shared ? null : db.getConnection()) {
                        work.on(shared ? db.shared() : c);
                    } catch (Throwable e) {
                        caught.set(e);
                        throw e;
                    }
                });
                cancelWhenBusy(victim);
                assertThat(caught.get()).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().activeCount()).isZero();
                server.awaitIdle(ROLE);
                for (int i = 0; i < 3; i++) {
                    try (Connection next = db.getConnection()) {
                        assertThat(Sql.number(next, "select count(*) from thing"))
                                .isZero();
                        assertThat(Sql.text(next, "select 'an answer'")).isEqualTo("an answer");
                    }
                }
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    private static void cancelWhenBusy(Coroutine<?> victim) {
        server.suspendUntilBusy(ROLE);
        victim.cancel();
        assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
    }

    @Test
    void busyOnTheDriversOwnObject_connectionIsReplaced() {
        Async.run(() -> {
            try (var db = one().build()) {
                Coroutine<?> victim = spawn(() -> {
                    try (Connection c = db.getConnection()) {
                        c.unwrap(PGConnection.class)
                                .getCopyAPI()
                                .copyOut("copy (select pg_sleep(600)) to stdout", new StringWriter());
                    }
                });
                server.suspendUntilAsleep(ROLE);
                victim.cancel();
                // the coroutine was interrupted, for whom else could one tell to stop?
                assertThatThrownBy(() -> await(victim)).isNotNull();
                server.terminateAll(ROLE);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    @Timeout(600)
    void cancelledAtRandomMoments_eachAnswerBelongsToItsQuestion() {
        Async.run(() -> {
            try (var db = one().max(3).build()) {
                var random = new java.util.Random(4711);
                for (int round = 0; round < 300; round++) {
                    int question = round;
                    var asking = spawn(() -> {
                        try (Connection c = db.getConnection()) {
                            for (int i = 0; i < 20; i++)
                                assertThat(Sql.number(c, "select " + (question * 100 + i)))
                                        .isEqualTo(question * 100 + i);
                        }
                    });
                    for (int i = random.nextInt(40); i > 0; i--) suspend();
                    if (random.nextBoolean()) delay(random.nextInt(3));
                    asking.cancel();
                    try {
                        await(asking);
                    } catch (AsyncCancellation e) {
                        // or it had ended
                    }
                }
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isLessThanOrEqualTo(3);
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    @Test
    void statementCancelledByAnotherCoroutine_sqlExceptionAndTheSessionGoesOn() {
        Async.run(() -> {
            try (var db = one().build();
                    Connection c = db.getConnection();
                    var sleeping = c.createStatement()) {
                int pid = Sql.pid(c);
                spawn(() -> {
                    server.suspendUntilBusy(ROLE);
                    sleeping.cancel();
                });
                assertThatThrownBy(() -> sleeping.execute("select pg_sleep(600)"))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("57014"));
                assertThat(Sql.pid(c)).isEqualTo(pid);
            }
        });
    }

    @Test
    void queryTimeout_sqlExceptionAndTheSessionGoesOn() {
        Async.run(() -> {
            try (var db = one().build();
                    Connection c = db.getConnection();
                    var sleeping = c.createStatement()) {
                int pid = Sql.pid(c);
                sleeping.setQueryTimeout(1);
                assertThatThrownBy(() -> sleeping.execute("select pg_sleep(600)"))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("57014"));
                assertThat(Sql.pid(c)).isEqualTo(pid);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void protectedTransaction_isNotInterrupted(boolean shared) {
        Async.run(() -> {
            try (var holder = server.superuser();
                    var db = one().build()) {
                Sql.execute(holder, "select pg_advisory_lock(99)");
                var teller = spawn(() -> {
                    protect(() -> {
                        try (Connection own = shared ? null : db.getConnection()) {
                            Connection c = shared ? db.shared() : own;
                            c.setAutoCommit(false);
                            Sql.execute(
                                    c,
                                    "insert into thing values (1)",
                                    "select pg_advisory_xact_lock(99)",
                                    "insert into thing values (2)");
                            c.commit();
                        }
                    });
                });
                PostgresServer.suspendUntil("a wait for a lock", () -> server.waitingForLock(ROLE) > 0);
                teller.cancel();
                for (int i = 0; i < 20; i++)
                    assertThat(server.waitingForLock(ROLE)).isEqualTo(1);
                Sql.execute(holder, "select pg_advisory_unlock(99)");
                try {
                    await(teller);
                } catch (AsyncCancellation e) {
                    // after the section
                }
                assertThat(Sql.number(db.shared(), "select count(*) from thing"))
                        .isEqualTo(2);
            }
        });
    }

    @Test
    void whoWaitsForAConnection_leavesTheLine() {
        Async.run(() -> {
            try (var db = one().build()) {
                Connection held = db.getConnection();
                var waiting = spawn(() -> db.getConnection().close());
                suspend();
                suspend();
                assertThat(db.pool().stats().waiting()).isEqualTo(1);
                waiting.cancel();
                assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().stats().waiting()).isZero();
                held.close();
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("F61")
    void serverThatNeverAnswers_connectingIsGivenUp() throws IOException {
        try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Async.run(() -> {
                try (var db = PooledDataSource.forUrl(
                                "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/postgres")
                        .user(ROLE)
                        .max(1)
                        .build()) {
                    for (int i = 0; i < 2; i++) {
                        var connecting = spawn(() -> db.getConnection().close());
                        var accepted = blocking(silent::accept);
                        connecting.cancel();
                        assertThatThrownBy(() -> await(connecting)).isInstanceOf(AsyncCancellation.class);
                        accepted.close();
                        assertThat(db.pool().count()).isZero();
                    }
                }
            });
        }
    }
}
