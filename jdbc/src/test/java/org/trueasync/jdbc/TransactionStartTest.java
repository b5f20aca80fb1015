package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * A driver that sends BEGIN together with the first statement of a transaction, as PostgreSQL's does: a cancellation
 * that meets BEGIN would leave the statement to be executed and committed on its own.
 */
@Tag("P34")
@Tag("F62")
@Timeout(100)
class TransactionStartTest {
    private static final Duration MOMENT = Duration.ofMillis(10);

    private final OddDriver fake = new OddDriver();
    private String state = "IDLE";

    /** When the driver was told to cancel, with the state of the transaction at that moment. */
    private final List<String> cancels = new ArrayList<>();

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch cancelled = new CountDownLatch(1);

    @BeforeEach
    void driver() {
        fake.on("Connection.getTransactionState", (self, arguments) -> state);
        fake.on("Connection.rollback", (self, arguments) -> state = "IDLE");
        fake.on("Statement.cancel", (self, arguments) -> {
            cancels.add(state);
            cancelled.countDown();
            return null;
        });
    }

    /** BEGIN takes until the test says so, and the statement until it is cancelled. */
    private void beginsAndWaits() {
        fake.on("Statement.execute", (self, arguments) -> {
            begun.await();
            state = "OPEN";
            cancelled.await();
            state = "FAILED";
            throw new SQLException("cancelled", "57014");
        });
    }

    private PooledDataSource db() throws SQLException {
        return PooledDataSource.around(fake).max(1).build();
    }

    private PooledDataSource impatient() throws SQLException {
        return PooledDataSource.around(fake)
                .max(1)
                .validationTimeout(Duration.ofMillis(50))
                .build();
    }

    private static Coroutine<?> inTransaction(PooledDataSource db, List<Statement> statements) {
        return Async.spawn(() -> {
            try (Connection c = db.getConnection()) {
                c.setAutoCommit(false);
                try (Statement s = c.createStatement()) {
                    statements.add(s);
                    s.execute("insert into thing values (1)");
                }
                c.commit();
            }
        });
    }

    private void begunSoon() {
        Async.spawn(() -> {
            Async.delay(MOMENT);
            begun.countDown();
        });
    }

    private static void isCancelled(Coroutine<?> victim) {
        assertThatThrownBy(() -> Async.await(victim)).isInstanceOf(AsyncCancellation.class);
    }

    @Test
    void cancelledBeforeTheTransactionHasBegun_theDriverIsToldWhenItHas() {
        Async.run(() -> {
            beginsAndWaits();
            try (var db = db()) {
                Coroutine<?> victim = inTransaction(db, new ArrayList<>());
                Async.delay(MOMENT);
                victim.cancel();
                Async.delay(MOMENT);
                assertThat(cancels).isEmpty();
                begun.countDown();
                isCancelled(victim);
                assertThat(cancels).first().isEqualTo("OPEN");
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void endsBeforeTheTransactionIsSeenToHaveBegun_theDriverIsToldNothing() {
        Async.run(() -> {
            fake.on("Statement.execute", (self, arguments) -> {
                begun.await();
                state = "OPEN";
                return false;
            });
            try (var db = db()) {
                Coroutine<?> victim = inTransaction(db, new ArrayList<>());
                Async.delay(MOMENT);
                victim.cancel();
                Async.delay(MOMENT);
                begun.countDown();
                isCancelled(victim);
                Async.delay(MOMENT.multipliedBy(5));
                assertThat(cancels).isEmpty();
                assertThat(fake.count("Connection.rollback")).isEqualTo(1);
                assertThat(fake.count("Connection.commit")).isZero();
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void serverNeverConfirms_theConnectionIsGivenUp() {
        Async.run(() -> {
            fake.hangs("Statement.execute");
            try (var db = impatient()) {
                Coroutine<?> victim = inTransaction(db, new ArrayList<>());
                Async.delay(MOMENT);
                victim.cancel();
                isCancelled(victim);
                assertThat(cancels).isEmpty();
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    @Test
    void laterStatementOfATransaction_theDriverIsToldAtOnce() {
        Async.run(() -> {
            state = "OPEN";
            fake.on("Statement.execute", (self, arguments) -> {
                cancelled.await();
                throw new SQLException("cancelled", "57014");
            });
            try (var db = db()) {
                Coroutine<?> victim = inTransaction(db, new ArrayList<>());
                Async.delay(MOMENT);
                victim.cancel();
                isCancelled(victim);
                assertThat(cancels).first().isEqualTo("OPEN");
            }
        });
    }

    @Test
    void withAutoCommit_theDriverIsToldAtOnce() {
        Async.run(() -> {
            fake.on("Statement.execute", (self, arguments) -> {
                cancelled.await();
                throw new SQLException("cancelled", "57014");
            });
            try (var db = db()) {
                Coroutine<?> victim = Async.spawn(() -> {
                    try (Connection c = db.getConnection()) {
                        Sql.execute(c, "select 1");
                    }
                });
                Async.delay(MOMENT);
                victim.cancel();
                isCancelled(victim);
                assertThat(cancels).first().isEqualTo("IDLE");
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void userCancelsTheStatementFromAnotherCoroutine_itWaitsUntilTheTransactionHasBegun() {
        Async.run(() -> {
            beginsAndWaits();
            try (var db = db()) {
                var statements = new ArrayList<Statement>();
                Coroutine<?> asking = inTransaction(db, statements);
                Async.delay(MOMENT);
                begunSoon();
                statements.getFirst().cancel();
                assertThat(cancels).containsExactly("OPEN");
                assertThatThrownBy(() -> Async.await(asking)).hasRootCauseMessage("cancelled");
            }
        });
    }

    @Test
    void userCancelsAStatementThatEndsMeanwhile_returnsAtOnce() {
        Async.run(() -> {
            fake.on("Statement.execute", (self, arguments) -> {
                begun.await();
                throw new SQLException("no such table", "42P01");
            });
            try (var db = db()) {
                var statements = new ArrayList<Statement>();
                Coroutine<?> asking = inTransaction(db, statements);
                Async.delay(MOMENT);
                begunSoon();
                statements.getFirst().cancel();
                assertThatThrownBy(() -> Async.await(asking)).hasRootCauseMessage("no such table");
                assertThat(cancels).isEmpty();
            }
        });
    }

    @Test
    void userCancelsAStatementThatIsExecutedAgainMeanwhile_theSecondExecutionIsLeftAlone() {
        Async.run(() -> {
            var second = new CountDownLatch(1);
            fake.on("Statement.execute", (self, arguments) -> {
                (fake.count("Statement.execute") == 1 ? begun : second).await();
                state = "OPEN";
                return false;
            });
            fake.on("Connection.commit", (self, arguments) -> state = "IDLE");
            try (var db = db()) {
                var statements = new ArrayList<Statement>();
                Coroutine<?> asking = Async.spawn(() -> {
                    try (Connection c = db.getConnection()) {
                        c.setAutoCommit(false);
                        try (Statement s = c.createStatement()) {
                            statements.add(s);
                            for (int i = 0; i < 2; i++) {
                                s.execute("insert into thing values (1)");
                                c.commit();
                            }
                        }
                    }
                });
                Async.delay(MOMENT);
                begunSoon();
                statements.getFirst().cancel();
                assertThat(cancels).isEmpty();
                second.countDown();
                Async.await(asking);
                assertThat(cancels).isEmpty();
            }
        });
    }

    @Test
    void userCancelsAStatementThatTheServerNeverConfirms_itIsRefused() {
        Async.run(() -> {
            fake.hangs("Statement.execute");
            try (var db = impatient()) {
                var statements = new ArrayList<Statement>();
                Coroutine<?> asking = inTransaction(db, statements);
                Async.delay(MOMENT);
                var elsewhere = new CompletableFuture<Void>();
                Thread.ofPlatform().start(() -> {
                    try {
                        statements.getFirst().cancel();
                        elsewhere.complete(null);
                    } catch (Throwable e) {
                        elsewhere.completeExceptionally(e);
                    }
                });
                assertThatThrownBy(elsewhere::get)
                        .isInstanceOf(ExecutionException.class)
                        .rootCause()
                        .isInstanceOf(SQLException.class)
                        .hasMessageStartingWith("not cancelled: the server has not confirmed within PT0.05S");
                assertThat(cancels).isEmpty();
                asking.cancel();
                isCancelled(asking);
            }
        });
    }
}
