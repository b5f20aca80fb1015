package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * A session that answers nothing any more, and takes no request to cancel either: nobody waits for it longer than the
 * validation time-out.
 */
@Tag("P34")
class PostgresFrozenTest {
    private static final String ROLE = "frozen";

    private static PostgresServer server;

    private int frozen;

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
    void thaw() {
        if (frozen == 0) return;
        server.thaw(frozen);
        // nobody may have told it to stop, and asleep the server does not notice that its client has gone
        server.terminateSleeping(ROLE);
        server.awaitConnections(ROLE, 0);
    }

    private void freeze(int pid) {
        blocking(() -> server.freeze(pid));
        frozen = pid;
    }

    private static PooledDataSource.Builder one() {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(1).validationTimeout(Duration.ofMillis(200));
    }

    private void nextOneIsFresh(PooledDataSource db) throws Exception {
        assertThat(db.pool().activeCount()).isZero();
        try (Connection next = db.getConnection()) {
            assertThat(Sql.pid(next)).isNotEqualTo(frozen);
            assertThat(Sql.number(next, "select count(*) from thing")).isZero();
        }
        assertThat(db.pool().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancelled_coroutineGetsItsCancellation(boolean shared) {
        Async.run(() -> {
            try (var db = one().build()) {
                int[] pid = {0};
                Coroutine<?> victim = spawn(() -> {
                    try (Connection own = shared ? null : db.getConnection()) {
                        Connection c = shared ? db.shared() : own;
                        c.setAutoCommit(false);
                        Sql.execute(c, "insert into thing values (1)");
                        pid[0] = Sql.pid(c);
                        Sql.execute(c, "select pg_sleep(600)");
                    }
                });
                PostgresServer.suspendUntil("a busy connection", () -> pid[0] != 0 && server.busy(ROLE) > 0);
                freeze(pid[0]);
                victim.cancel();
                assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
                nextOneIsFresh(db);
            }
        });
    }

    /**
     * The request to cancel gets there first, when the server has nothing to do, and is forgotten; so it has to come
     * again.
     */
    @Test
    @Tag("F62")
    void requestToCancelOvertakesTheStatement_cancelledNevertheless() {
        Async.run(() -> {
            try (var db = one().validationTimeout(Duration.ofSeconds(30)).build()) {
                var session = new CompletableFuture<Integer>();
                var isFrozen = new CompletableFuture<Boolean>();
                boolean[] begins = {false};
                Coroutine<?> victim = spawn(() -> {
                    // taken before the freeze: one that has been idle is looked at when it is taken
                    try (Connection c = db.getConnection()) {
                        session.complete(Sql.pid(c));
                        await(isFrozen);
                        begins[0] = true;
                        Sql.execute(c, "select pg_sleep(600)");
                    }
                });
                int pid = await(session);
                freeze(pid);
                isFrozen.complete(true);
                while (!begins[0]) suspend();
                victim.cancel();
                delay(100);
                blocking(() -> server.thaw(pid));
                frozen = 0;
                assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
                server.awaitIdle(ROLE);
                assertThat(Sql.pid(db.shared())).isEqualTo(pid);
            }
        });
    }

    @Test
    void idle_theNextUserGetsAFreshOne() {
        Async.run(() -> {
            try (var db = one().build()) {
                int pid = Sql.pid(db.shared());
                freeze(pid);
                // longer than a connection is taken for sound after its last use
                delay(600);
                nextOneIsFresh(db);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenBackInATransaction_replaced(boolean byEnd) {
        Async.run(() -> {
            try (var db = one().build()) {
                await(spawn(() -> {
                    Connection c = db.getConnection();
                    Sql.execute(c, "begin", "insert into thing values (1)");
                    freeze(Sql.pid(c));
                    if (!byEnd) c.close();
                }));
                nextOneIsFresh(db);
            }
        });
    }

    @Test
    @Tag("P38")
    void closedWithTheDataSource_nobodyWaitsForIt() {
        Async.run(() -> {
            try (var db = one().build()) {
                freeze(Sql.pid(db.shared()));
            }
        });
    }
}
