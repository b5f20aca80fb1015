package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.trueasync.Async;
import org.trueasync.CircuitBreakerState;
import org.trueasync.RecoveryStrategy;
import org.trueasync.jdbc.PostgresServer.Stop;

/** Sessions that are killed, and a server that goes and comes. */
@Tag("P34")
class PostgresBrokenTest {
    private static final String ROLE = "broken";

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

    @AfterEach
    void serverRuns() {
        server.start();
    }

    private static PooledDataSource.Builder pool(int max) {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(max);
    }

    /** Until the killed sessions have gone. */
    private static void killAll() {
        server.terminateAll(ROLE);
        server.awaitConnections(ROLE, 0);
    }

    @Test
    void sharedConnectionKilledBetweenStatements_sameCoroutineGetsAFreshOne() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                int before = Sql.pid(db.shared());
                killAll();
                int failures = 0;
                int after = 0;
                while (after == 0) {
                    try {
                        after = Sql.pid(db.shared());
                    } catch (SQLException e) {
                        assertThat(++failures).isEqualTo(1);
                    }
                }
                assertThat(after).isNotEqualTo(before);
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P31")
    void sharedConnectionKilledInATransaction_errorOnceThenAFreshOne() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                Connection shared = db.shared();
                shared.setAutoCommit(false);
                Sql.execute(shared, "insert into thing values (1)");
                int before = Sql.pid(shared);
                killAll();
                assertThatThrownBy(() -> Sql.execute(shared, "insert into thing values (2)"))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isIn("57P01", "08006"));
                // what belongs together is not torn: the rest is refused until the coroutine has noticed
                assertThatThrownBy(() -> Sql.execute(shared, "insert into thing values (3)"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("roll back");
                assertThatThrownBy(shared::commit).isInstanceOf(SQLException.class);
                shared.rollback();
                assertThat(Sql.number(shared, "select count(*) from thing")).isZero();
                assertThat(Sql.pid(shared)).isNotEqualTo(before);
                shared.commit();
            }
        });
    }

    @Test
    void sessionKilled_itSaysSoAndTheNextOneIsFresh() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                int before;
                try (Connection c = db.getConnection()) {
                    before = Sql.pid(c);
                    c.setAutoCommit(false);
                    killAll();
                    assertThatThrownBy(() -> Sql.pid(c)).isInstanceOf(SQLException.class);
                    assertThatThrownBy(() -> Sql.pid(c)).isInstanceOf(SQLException.class);
                    assertThat(c.isValid(1)).isFalse();
                }
                try (Connection c = db.getConnection()) {
                    assertThat(Sql.pid(c)).isNotEqualTo(before);
                    assertThat(c.getAutoCommit()).isTrue();
                    assertThat(c.isValid(30)).isTrue();
                }
                assertThat(db.pool().stats().destroyed()).isEqualTo(1);
            }
        });
    }

    @Test
    void killedWhileTheServerWorks_errorAtOnceAndTheNextOneIsFresh() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                spawn(() -> {
                    PostgresServer.suspendUntil("a sleep", () -> server.sleeping(ROLE) > 0);
                    server.terminateAll(ROLE);
                });
                assertThatThrownBy(() -> {
                            try (Connection c = db.getConnection()) {
                                Sql.execute(c, "select pg_sleep(600)");
                            }
                        })
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("57P01"));
                assertThat(db.pool().count()).isZero();
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    void killedWhileIdle_nobodySeesAnError() {
        Async.run(() -> {
            try (var db = pool(3).build()) {
                var held = new Connection[] {db.getConnection(), db.getConnection(), db.getConnection()};
                for (Connection one : held) one.close();
                assertThat(db.pool().idleCount()).isEqualTo(3);
                killAll();
                // those that have just been used are taken for sound
                delay(Duration.ofMillis(1_100));
                for (int i = 0; i < 3; i++) {
                    try (Connection c = db.getConnection()) {
                        assertThat(Sql.number(c, "select 1")).isEqualTo(1);
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void serverRestarted_poolGoesOnWithFreshConnections(Stop how) {
        Async.run(() -> {
            try (var db = pool(2).connectionTimeout(Duration.ofSeconds(20)).build()) {
                Connection own = db.getConnection();
                own.setAutoCommit(false);
                Sql.execute(own, "insert into thing values (1)");
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
                blocking(() -> server.stop(how));
                assertThatThrownBy(() -> Sql.execute(own, "insert into thing values (2)"))
                        .isInstanceOf(SQLException.class);
                own.close();
                for (int i = 0; i < 3; i++)
                    assertThatThrownBy(() -> Sql.execute(db.shared(), "select 1"))
                            .isInstanceOf(SQLException.class);
                blocking(server::start);
                int failures = 0;
                for (int works = 0; works < 4; ) {
                    try (Connection c = db.getConnection()) {
                        assertThat(Sql.number(c, "select count(*) from thing")).isZero();
                        works++;
                    } catch (SQLException e) {
                        assertThat(++failures).isLessThanOrEqualTo(2);
                    }
                }
                assertThat(db.pool().activeCount()).isZero();
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    @Test
    @Tag("deep")
    @Tag("P20")
    void serverGone_breakerRefusesAtOnceAndLetsInWhenItIsBack() {
        Async.run(() -> {
            var strategy = RecoveryStrategy.consecutiveFailures(3).recoverAfter(Duration.ofSeconds(3), 1);
            try (var db = pool(2).circuitBreaker(strategy).build()) {
                Sql.execute(db.shared(), "select 1");
                blocking(() -> server.stop(Stop.ABRUPT));
                while (db.pool().state() != CircuitBreakerState.INACTIVE)
                    assertThatThrownBy(() -> Sql.execute(db.shared(), "select 1"))
                            .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> db.getConnection()).isInstanceOf(SQLTransientConnectionException.class);
                blocking(server::start);
                while (db.pool().state() != CircuitBreakerState.ACTIVE) {
                    try {
                        Sql.execute(db.shared(), "select 1");
                    } catch (SQLException refused) {
                        delay(20);
                    }
                }
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P30")
    void allKilled_healthCheckMakesMinAgain() {
        Async.run(() -> {
            try (var db = pool(3).min(2)
                    .keepaliveTime(Duration.ofMillis(50))
                    .healthcheckInterval(Duration.ofMillis(50))
                    .build()) {
                server.terminateAll(ROLE);
                while (db.pool().stats().destroyed() < 2) delay(10);
                server.awaitConnections(ROLE, 2);
            }
        });
    }

    /**
     * Of the driver's own object the pool knows nothing; until a copy has ended, the driver lets nobody talk to the
     * server.
     */
    @Test
    @Tag("P33")
    void leftInTheMiddleOfACopy_theConnectionIsReplaced() {
        Async.run(() -> {
            try (var db = pool(1).validationTimeout(Duration.ofMillis(200)).build()) {
                int[] pid = {0};
                await(spawn(() -> {
                    Connection c = db.getConnection();
                    pid[0] = Sql.pid(c);
                    var copy = c.unwrap(PGConnection.class).getCopyAPI().copyIn("copy thing from stdin");
                    copy.writeToCopy("1\n".getBytes(StandardCharsets.UTF_8), 0, 2);
                }));
                assertThat(db.pool().activeCount()).isZero();
                assertThat(Sql.pid(db.shared())).isNotEqualTo(pid[0]);
                assertThat(Sql.number(db.shared(), "select count(*) from thing"))
                        .isZero();
                server.awaitConnections(ROLE, 1);
            }
        });
    }

    @Test
    void endedByTheServersOwnTimeout_theConnectionIsReplaced() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                try (Connection c = db.getConnection()) {
                    Sql.execute(c, "set idle_in_transaction_session_timeout to 50", "begin");
                    server.awaitConnections(ROLE, 0);
                    assertThatThrownBy(() -> Sql.execute(c, "select 1"))
                            .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                    .isIn("25P03", "08006"));
                }
                assertThat(db.pool().count()).isZero();
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("deep")
    void statementTimeout_theConnectionGoesOn() {
        Async.run(() -> {
            try (var db = pool(1).build();
                    Connection c = db.getConnection()) {
                int pid = Sql.pid(c);
                c.setAutoCommit(false);
                Sql.execute(c, "set local statement_timeout to 2000"); // not for what follows
                assertThatThrownBy(() -> Sql.execute(c, "select pg_sleep(600)"))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("57014"));
                c.rollback();
                assertThat(Sql.pid(c)).isEqualTo(pid);
            }
        });
    }

    @Test
    void statementThatOutlivesItsConnection_failsCleanly() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                var shared = db.shared();
                try (var old = shared.prepareStatement("select pg_backend_pid()")) {
                    old.executeQuery().close();
                    killAll();
                    assertThatThrownBy(old::executeQuery).isInstanceOf(SQLException.class);
                    int fresh = Sql.pid(shared);
                    try (var row = old.executeQuery()) {
                        // re-prepared on the fresh one would be fine as well
                        row.next();
                        assertThat(row.getInt(1)).isEqualTo(fresh);
                    } catch (SQLException e) {
                        assertThat(e.getMessage()).contains("closed");
                    }
                }
                assertThat(Sql.number(shared, "select 1")).isEqualTo(1);
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }
}
