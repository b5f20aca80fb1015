package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/** Drivers that fail where none should, and hang: what they leave, and who learns of it. */
@Timeout(100)
class MisbehavingDriverTest {
    private final OddDriver fake = new OddDriver();

    private PooledDataSource.Builder around() {
        return PooledDataSource.around(fake).max(3).validationTimeout(Duration.ofMillis(50));
    }

    /** Where nothing hangs, and nobody may be interrupted for being slow. */
    private PooledDataSource.Builder patient() {
        return around().validationTimeout(Duration.ofSeconds(10));
    }

    /** A coroutine with a statement of its own, which takes long. */
    private static Coroutine<?> asks(PooledDataSource db) {
        return Async.spawn(() -> {
            try (var c = db.getConnection();
                    var s = c.createStatement()) {
                s.execute("select pg_sleep(1000)");
            }
        });
    }

    private void untilBegun(String call, long times) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
        for (; fake.count(call) < times; Async.suspend())
            if (System.nanoTime() > end) throw new AssertionError("no " + call + " within 15 s after " + fake.calls);
    }

    private static SQLException lost() {
        return new SQLException("connection lost", "08006");
    }

    @Test
    @Tag("P32")
    @Tag("F60")
    void closeThrowsAtTheEndOfACoroutine_allItsConnectionsGoBack() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.fails("Connection.abort", new AbstractMethodError("no abort"));
                fake.fails("Connection.close", new OutOfMemoryError("no close"));
                fake.fails("Statement.execute", lost());
                Coroutine<?> holder = Async.spawn(() -> {
                    for (int i = 0; i < 3; i++) {
                        Connection c = db.getConnection();
                        assertThatThrownBy(() -> c.createStatement().execute("select 1"))
                                .hasMessage("connection lost");
                    }
                });
                assertThatThrownBy(() -> Async.await(holder)).hasMessage("no close");
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    @Test
    @Tag("P34")
    void closeThrowsARuntimeException_theNextOneStillGetsAConnection() {
        Async.run(() -> {
            try (var db = around().maxLifetime(Duration.ofMillis(1)).build()) {
                db.getConnection().close();
                Async.delay(Duration.ofMillis(2)); // it is too old then
                fake.fails("Connection.close", new IllegalStateException("no close"));
                Connection next = db.getConnection();
                assertThat(fake.count("Connection.close")).isEqualTo(1);
                assertThat(fake.count("connect")).isEqualTo(2);
                assertThat(db.pool().count()).isEqualTo(1);
                fake.behaves("Connection.close");
                Sql.execute(next, "select 1");
            }
        });
    }

    @Test
    @Tag("P34")
    void cancelOfAStatementHangs_theCoroutineStillEnds() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.hangs("Statement.execute").hangs("Statement.cancel");
                Coroutine<?> asking = asks(db);
                untilBegun("Statement.execute", 1);
                asking.cancel();
                assertThatThrownBy(() -> Async.await(asking)).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    @Test
    @Tag("P34")
    void statementEndsWhileItIsBeingCancelled_theCallLastsUntilTheCancelHasEnded() {
        Async.run(() -> {
            try (var db = around().validationTimeout(Duration.ofSeconds(60)).build()) {
                var end = new CountDownLatch(1);
                var cancelEnds = new CountDownLatch(1);
                var log = new CopyOnWriteArrayList<String>();
                fake.on("Statement.execute", (self, arguments) -> {
                    end.await();
                    log.add("ended");
                    return true;
                });
                fake.on("Statement.cancel", (self, arguments) -> {
                    cancelEnds.await();
                    log.add("cancel ended");
                    return null;
                });
                fake.on("Statement.close", (self, arguments) -> {
                    log.add("closed");
                    return null;
                });
                Coroutine<?> asking = asks(db);
                untilBegun("Statement.execute", 1);
                asking.cancel();
                untilBegun("Statement.cancel", 1);
                end.countDown();
                while (log.isEmpty()) Async.suspend();
                cancelEnds.countDown();
                assertThatThrownBy(() -> Async.await(asking)).isInstanceOf(AsyncCancellation.class);
                assertThat(log).startsWith("ended", "cancel ended", "closed");
            }
        });
    }

    @Test
    @Tag("P34")
    void cancelOfAStatementHangsWhileTheStatementEnds_theCoroutineStillEnds() {
        Async.run(() -> {
            try (var db = around().build()) {
                var end = new CountDownLatch(1);
                fake.on("Statement.execute", (self, arguments) -> {
                    end.await();
                    return true;
                });
                fake.hangs("Statement.cancel");
                Coroutine<?> asking = asks(db);
                untilBegun("Statement.execute", 1);
                asking.cancel();
                untilBegun("Statement.cancel", 1);
                end.countDown();
                assertThatThrownBy(() -> Async.await(asking)).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    @Tag("P34")
    void cancelOfAStatementIsMissing_theCoroutineStillEnds() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.hangs("Statement.execute").fails("Statement.cancel", new AbstractMethodError("cancel"));
                Coroutine<?> asking = asks(db);
                untilBegun("Statement.execute", 1);
                asking.cancel();
                assertThatThrownBy(() -> Async.await(asking)).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    /**
     * Has a statement executed by a coroutine that is cancelled meanwhile, which the driver hears before the execution
     * ends like this.
     */
    private void cancelledWhileItEnds(PooledDataSource db, OddDriver.Answer outcome) {
        long before = fake.count("PreparedStatement.executeUpdate");
        var end = new CountDownLatch(1);
        fake.on("PreparedStatement.executeUpdate", (self, arguments) -> {
            end.await();
            return outcome.to(self, arguments);
        });
        fake.on("PreparedStatement.cancel", (self, arguments) -> {
            end.countDown();
            return null;
        });
        Coroutine<?> asking = Async.spawn(() -> {
            try (var c = db.getConnection();
                    var s = c.prepareStatement("update t set v = 1")) {
                s.executeUpdate();
            }
        });
        untilBegun("PreparedStatement.executeUpdate", before + 1);
        asking.cancel();
        Async.awaitAll(List.of(asking));
        assertThat(asking.isCancelled()).isTrue();
        fake.behaves("PreparedStatement.executeUpdate");
    }

    private static void update(PooledDataSource db) throws SQLException {
        try (var c = db.getConnection();
                var s = c.prepareStatement("update t set v = 1")) {
            s.executeUpdate();
        }
    }

    @Test
    @Tag("P34")
    @Tag("P37")
    void statementEndsByItsCancellation_itIsNotUsedAgainButItsConnectionIs() {
        Async.run(() -> {
            try (var db = patient().build()) {
                cancelledWhileItEnds(db, (self, arguments) -> {
                    throw new SQLException("cancelled", "57014");
                });
                assertThat(fake.count("PreparedStatement.close")).isEqualTo(1);
                update(db);
                update(db);
                assertThat(fake.count("connect")).isEqualTo(1);
                // prepared for the one that was cancelled, and for the two after it once
                assertThat(fake.count("Connection.prepareStatement")).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("P34")
    @Tag("P37")
    void statementEndsAlthoughItWasToldToCancel_neitherItNorItsConnectionIsUsedAgain() {
        for (OddDriver.Answer outcome : List.<OddDriver.Answer>of((self, arguments) -> 1, (self, arguments) -> {
            throw new SQLException("no room", "53100");
        })) {
            Async.run(() -> {
                try (var db = patient().build()) {
                    long before = fake.count("connect");
                    cancelledWhileItEnds(db, outcome);
                    assertThat(db.pool().count()).isZero();
                    update(db);
                    assertThat(fake.count("connect")).isEqualTo(before + 2);
                }
            });
        }
    }

    @Test
    @Tag("P34")
    void cancelledInOneStatementAndThenInAnother_bothEnd() {
        Async.run(() -> {
            try (var db = patient().build()) {
                var end = new Semaphore(0);
                fake.on("Statement.execute", (self, arguments) -> {
                    if (!end.tryAcquire(10, TimeUnit.SECONDS)) throw new SQLException("not cancelled");
                    throw new SQLException("cancelled", "57014");
                });
                fake.on("Statement.cancel", (self, arguments) -> {
                    end.release();
                    return null;
                });
                Coroutine<?> asking = Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        for (int i = 0; i < 3; i++)
                            assertThatThrownBy(() -> Sql.execute(c, "select pg_sleep(1000)"))
                                    .isInstanceOf(AsyncCancellation.class);
                    }
                });
                for (int i = 0; i < 3; i++) {
                    // a cancellation that comes before the one before was noticed is one with it
                    untilBegun("Statement.execute", i + 1);
                    asking.cancel();
                }
                Async.await(asking);
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P34")
    void interruptedInTheMiddleOfAStatement_neverUsedAgain() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.hangs("Statement.execute");
                Coroutine<?> asking = asks(db);
                untilBegun("Statement.execute", 1);
                asking.cancel();
                assertThatThrownBy(() -> Async.await(asking)).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    private static final List<String> CALLS = List.of(
            "connect",
            "Connection.getMetaData",
            "DatabaseMetaData.getDatabaseProductName",
            "Connection.getAutoCommit",
            "Connection.setAutoCommit",
            "Connection.isValid",
            "Connection.rollback",
            "Connection.commit",
            "Connection.clearWarnings",
            "Connection.close",
            "Connection.abort",
            "Connection.isClosed",
            "Connection.createStatement",
            "Connection.prepareStatement",
            "Connection.setReadOnly",
            "Connection.isReadOnly",
            "Statement.execute",
            "Statement.close",
            "PreparedStatement.executeQuery",
            "PreparedStatement.close",
            "PreparedStatement.isClosed",
            "PreparedStatement.clearParameters",
            "ResultSet.next",
            "ResultSet.close");

    @ParameterizedTest
    @FieldSource("CALLS")
    @Tag("P34")
    @Tag("F60")
    void anyCallFailsForAWhile_nothingIsLost(String call) {
        var errors = List.of(
                new SQLException("told"),
                new SQLException("told", "08006"),
                new SQLFeatureNotSupportedException("told"),
                new IllegalStateException("told"),
                new AbstractMethodError("told"));
        for (Throwable error : errors) {
            var driver = new OddDriver();
            Async.run(() -> {
                var db = PooledDataSource.around(driver).max(2).build();
                useInEveryWay(db, true);
                driver.fails(call, error);
                useInEveryWay(db, false);
                driver.behaves(call);
                useInEveryWay(db, true);
                driver.fails(call, error);
                db.close();
                assertThat(db.pool().count()).isZero();
            });
        }
    }

    private static void useInEveryWay(PooledDataSource db, boolean works) {
        for (int way = 0; way < 3; way++) {
            boolean shared = way == 0;
            boolean byHand = way == 2;
            Coroutine<?> user = Async.spawn(() -> {
                Connection c = shared ? db.shared() : db.getConnection();
                if (byHand) c.setAutoCommit(false);
                c.setReadOnly(true);
                Sql.execute(c, "insert into t values (1)");
                try (var p = c.prepareStatement("select 1");
                        var r = p.executeQuery()) {
                    r.next();
                }
                if (byHand) c.commit();
                c.close();
            });
            try {
                Async.await(user);
            } catch (Throwable e) {
                assertThat(works).as("fails: " + e).isFalse();
                assertThat(e).hasStackTraceContaining("told");
            }
            assertThat(db.pool().activeCount()).isZero();
        }
    }
}
