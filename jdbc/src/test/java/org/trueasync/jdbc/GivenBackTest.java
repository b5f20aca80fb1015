package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.CircuitBreaker;
import org.trueasync.CircuitBreakerStrategy;
import org.trueasync.Coroutine;

/** What goes back and when, with drivers that make it hard. */
@Timeout(100)
class GivenBackTest {
    private final OddDriver fake = new OddDriver();

    private PooledDataSource.Builder around() {
        return PooledDataSource.around(fake).max(3).validationTimeout(Duration.ofMillis(50));
    }

    private static SQLException lost() {
        return new SQLException("connection lost", "08006");
    }

    @Test
    @Tag("P33")
    @Tag("P38")
    void releasedAfterTheDataSourceWasClosed_rolledBackFirst() {
        Async.run(() -> {
            var db = around().build();
            var c = db.getConnection();
            c.setAutoCommit(false);
            c.createStatement().execute("delete from t");
            db.close();
            c.close();
            // what close() does with an open transaction is the driver's choice: some commit
            assertThat(fake.calls.lastIndexOf("Connection.rollback"))
                    .isPositive()
                    .isLessThan(fake.calls.indexOf("Connection.close"));
        });
    }

    @Test
    @Tag("P33")
    void sessionsWithoutAutoCommit_whatMetadataHasBegunIsRolledBack() {
        Async.run(() -> {
            try (var db = around().autoCommit(false).build()) {
                try (var c = db.getConnection()) {
                    c.getMetaData().getTables(null, null, "%", null).close();
                }
                assertThat(fake.count("Connection.rollback")).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P33")
    void freeFailsAfterTheCommit_theCommitHasSucceeded() {
        Async.run(() -> {
            try (var db = around().build()) {
                try (var c = db.getConnection()) {
                    c.setAutoCommit(false);
                    Blob blob = c.createBlob();
                    fake.on("Blob.free", (self, arguments) -> {
                        if (fake.calls.contains("Connection.commit"))
                            throw new SQLException("invalid large-object descriptor: 0");
                        return null;
                    });
                    c.commit();
                    assertThatThrownBy(blob::length).isInstanceOf(SQLException.class);
                    c.createBlob();
                    c.rollback();
                }
            }
        });
    }

    @Test
    @Tag("P36")
    void connectionGivenBack_makesNoArrays() {
        Async.run(() -> {
            try (var db = around().build()) {
                Connection c = db.getConnection();
                c.close();
                assertThatThrownBy(() -> c.createArrayOf("mood", new Object[] {"happy"}))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> c.createStruct("mood", new Object[] {"happy"}))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> c.setClientInfo("a", "b")).isInstanceOf(SQLException.class);
                assertThat(fake.calls)
                        .doesNotContain(
                                "Connection.createArrayOf", "Connection.createStruct", "Connection.getClientInfo");
            }
        });
    }

    @Test
    @Tag("P36")
    void descriptionOfAResultGivenBack_asksNobodyElsesConnection() {
        Async.run(() -> {
            try (var db = around().build()) {
                Connection c = db.getConnection();
                var description = c.prepareStatement("select 1").executeQuery().getMetaData();
                description.getColumnCount();
                var parameters = c.prepareStatement("select ?").getParameterMetaData();
                c.close();
                int before = fake.calls.size();
                assertThatThrownBy(() -> description.isNullable(1)).isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> parameters.isNullable(1)).isInstanceOf(SQLException.class);
                assertThat(fake.calls).hasSize(before);
            }
        });
    }

    @Test
    @Tag("P32")
    void closedByAnotherCoroutine_refusedAndStillItsOwners() {
        Async.run(() -> {
            try (var db = around().build()) {
                var s = db.shared().createStatement();
                assertThatThrownBy(() -> Async.await(Async.spawn(() -> {
                            s.close();
                        })))
                        .hasCauseInstanceOf(SQLException.class);
                s.execute("select 1");
                s.close();
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    @Tag("P32")
    void closedWhileACancellationIsDue_closedAndTheNextCallThrowsIt() {
        Async.run(() -> {
            try (var db = around().build()) {
                Coroutine<?> worker = Async.spawn(() -> {
                    var s = db.shared().createStatement();
                    var r = s.executeQuery("select 1");
                    Async.currentCoroutine().cancel();
                    r.close();
                    assertThat(fake.count("ResultSet.close")).isEqualTo(1);
                    assertThatThrownBy(() -> s.execute("select 2")).isInstanceOf(AsyncCancellation.class);
                    s.close();
                    assertThat(db.pool().activeCount()).isZero();
                });
                Async.await(worker);
            }
        });
    }

    @Test
    @Tag("P33")
    void rolledBackAndSetBackWhileACancellationIsDue_doneAndTheNextCallThrowsIt() {
        Async.run(() -> {
            try (var db = around().build()) {
                Async.await(Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        c.setReadOnly(true);
                        c.setAutoCommit(false);
                        c.createStatement().execute("delete from t");
                        var savepoint = c.setSavepoint();
                        Async.currentCoroutine().cancel();
                        c.rollback(savepoint);
                        c.releaseSavepoint(savepoint);
                        c.rollback();
                        c.setAutoCommit(true);
                        c.setReadOnly(false);
                        assertThatThrownBy(() -> c.prepareStatement("select 1")).isInstanceOf(AsyncCancellation.class);
                    }
                    assertThat(fake.calls)
                            .containsSubsequence(
                                    "Connection.setSavepoint",
                                    "Connection.rollback",
                                    "Connection.releaseSavepoint",
                                    "Connection.rollback",
                                    "Connection.setAutoCommit",
                                    "Connection.setReadOnly");
                }));
            }
        });
    }

    @Test
    @Tag("P33")
    void committedWhileACancellationIsDue_notCommitted() {
        Async.run(() -> {
            try (var db = around().build()) {
                for (boolean bySetting : new boolean[] {true, false}) {
                    Coroutine<?> worker = Async.spawn(() -> {
                        try (var c = db.getConnection()) {
                            c.setAutoCommit(false);
                            c.createStatement().execute("delete from t");
                            Async.currentCoroutine().cancel();
                            if (bySetting) c.setAutoCommit(true);
                            else c.commit();
                        }
                    });
                    assertThatThrownBy(() -> Async.await(worker)).isInstanceOf(AsyncCancellation.class);
                }
                assertThat(fake.count("Connection.commit")).isZero();
                assertThat(fake.count("Connection.rollback")).isEqualTo(2);
                assertThat(fake.calls.indexOf("Connection.rollback"))
                        .isLessThan(fake.calls.lastIndexOf("Connection.setAutoCommit"));
            }
        });
    }

    @Test
    @Tag("P33")
    void cleanUpThatFailsWhileACancellationIsDue_failsAsItDoesAndTheNextCallThrowsIt() {
        Async.run(() -> {
            try (var db = around().build()) {
                var unsupported = new SQLFeatureNotSupportedException("no savepoints");
                fake.fails("Connection.releaseSavepoint", unsupported);
                fake.fails("Connection.setSchema", new SQLException("no such schema"));
                Async.await(Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        Async.currentCoroutine().cancel();
                        assertThatThrownBy(() -> c.releaseSavepoint(null)).isSameAs(unsupported);
                        assertThatThrownBy(() -> c.setSchema("nowhere")).hasMessage("no such schema");
                        assertThatThrownBy(c::createStatement).isInstanceOf(AsyncCancellation.class);
                    }
                }));
            }
        });
    }

    @Test
    @Tag("P33")
    void askedAndSetWhileACancellationIsDue_answersAndTheNextCallThrowsIt() {
        Async.run(() -> {
            try (var db = around().build()) {
                Async.await(Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        var s = c.prepareStatement("select 1");
                        Async.currentCoroutine().cancel();
                        assertThat(c.getAutoCommit()).isTrue();
                        assertThat(c.isReadOnly()).isFalse();
                        c.getTransactionIsolation();
                        c.clearWarnings();
                        s.setMaxRows(0);
                        s.getQueryTimeout();
                        s.clearParameters();
                        s.clearWarnings();
                        assertThatThrownBy(s::executeQuery).isInstanceOf(AsyncCancellation.class);
                    }
                    try (var c = db.shared()) {
                        Async.currentCoroutine().cancel();
                        assertThat(c.isReadOnly()).isFalse();
                        assertThatThrownBy(c::createStatement).isInstanceOf(AsyncCancellation.class);
                    }
                }));
            }
        });
    }

    /** Some drivers commit when a setting is changed. */
    @Test
    @Tag("P33")
    void setInATransactionWhileACancellationIsDue_notSet() {
        Async.run(() -> {
            try (var db = around().build()) {
                Async.await(Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        c.setAutoCommit(false);
                        c.createStatement().execute("delete from t");
                        Async.currentCoroutine().cancel();
                        assertThatThrownBy(() -> c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
                                .isInstanceOf(SQLException.class)
                                .hasMessageContaining("may commit");
                        assertThatThrownBy(c::commit).isInstanceOf(AsyncCancellation.class);
                    }
                }));
                assertThat(fake.calls).doesNotContain("Connection.setTransactionIsolation");
            }
        });
    }

    @Test
    @Tag("P33")
    void autoCommitAfterChangesThatNoStatementMade_notCommittedWhileACancellationIsDue() {
        Async.run(() -> {
            try (var db = around().build()) {
                for (boolean byResult : new boolean[] {true, false}) {
                    Async.await(Async.spawn(() -> {
                        try (var c = db.getConnection()) {
                            c.setAutoCommit(false);
                            var r = c.createStatement().executeQuery("select 1");
                            c.commit();
                            if (byResult) r.insertRow();
                            else c.unwrap(OddDriver.Transactional.class);
                            Async.currentCoroutine().cancel();
                            assertThatThrownBy(() -> c.setAutoCommit(true)).isInstanceOf(SQLException.class);
                            assertThatThrownBy(c::commit).isInstanceOf(AsyncCancellation.class);
                        }
                    }));
                }
            }
        });
    }

    @Test
    @Tag("P33")
    void rollbackThatFailsWhileACancellationIsDue_isNotFollowedByACommitAndTheRequestIsStillDue() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.fails("Connection.rollback", new SQLException("no"));
                Coroutine<?> worker = Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        c.setAutoCommit(false);
                        c.createStatement().execute("delete from t");
                        Async.currentCoroutine().cancel();
                        try {
                            c.rollback();
                        } catch (SQLException e) {
                            assertThatThrownBy(() -> c.setAutoCommit(true)).isInstanceOf(SQLException.class);
                            throw new IllegalStateException("as libraries wrap it", e);
                        }
                    }
                });
                assertThatThrownBy(() -> Async.await(worker)).isInstanceOf(AsyncCancellation.class);
                assertThat(worker.isCancelled()).isTrue();
                assertThat(fake.calls.stream().filter("Connection.setAutoCommit"::equals))
                        .hasSize(1);
            }
        });
    }

    @Test
    @Tag("P32")
    void metadataReadWithoutAutoCommit_leavesNoTransactionBehind() {
        Async.run(() -> {
            try (var db = around().autoCommit(false).build()) {
                try (var tables = db.shared().getMetaData().getTables(null, null, "%", null)) {
                    while (tables.next()) {}
                }
                assertThat(db.inTransaction()).isFalse();
            }
        });
    }

    @Test
    @Tag("P34")
    void closeThatHangsWhileACancellationIsDue_givenUpInTime() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.hangs("ResultSet.close");
                Coroutine<?> worker = Async.spawn(() -> {
                    try (var c = db.getConnection()) {
                        var r = c.createStatement().executeQuery("select 1");
                        Async.currentCoroutine().cancel();
                        r.close();
                    }
                });
                assertThatThrownBy(() -> Async.await(worker)).isInstanceOf(AsyncCancellation.class);
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    @Test
    @Tag("P32")
    void sharedHandleOfTheWrongType_refusedAndTheConnectionGoesBack() {
        Async.run(() -> {
            try (var db = around().build()) {
                assertThatThrownBy(() -> db.shared().unwrap(Runnable.class)).isInstanceOf(SQLException.class);
                assertThat(db.pool().activeCount()).isZero();
                fake.fails("Connection.isWrapperFor", new SQLException("no"));
                assertThatThrownBy(() -> db.shared().isWrapperFor(Runnable.class))
                        .isInstanceOf(SQLException.class);
                assertThat(db.pool().activeCount()).isZero();
                fake.fails("Connection.getMetaData", new SQLException("no"));
                assertThatThrownBy(() -> db.shared().getMetaData().getURL()).isInstanceOf(SQLException.class);
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    @Tag("P37")
    void statementThatCannotBeTidied_closedWithoutAWord() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.fails(
                        "PreparedStatement.getResultSet", new SQLException("ORA-17144: statement handle not executed"));
                try (var c = db.getConnection()) {
                    c.prepareStatement("select 1").close();
                    assertThat(fake.count("PreparedStatement.close")).isEqualTo(1);
                }
            }
        });
    }

    @Test
    @Tag("F71")
    void endlessDurations_areForEver() {
        Async.run(() -> {
            for (Duration d : new Duration[] {
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE), Duration.ofDays(100_000)
            }) {
                try (var db = around().connectionTimeout(d)
                        .validationTimeout(d)
                        .maxLifetime(d)
                        .idleTimeout(d)
                        .keepaliveTime(d)
                        .healthcheckInterval(d)
                        .leakDetectionThreshold(d)
                        .build()) {
                    db.getConnection().close();
                    db.getConnection().close();
                    assertThat(db.getLoginTimeout()).isPositive();
                    assertThat(db.pool().stats().created()).isEqualTo(1);
                }
            }
        });
    }

    @Test
    @Tag("P33")
    void sessionThatCannotBeReset_isReplacedAndThatIsNoFailure() {
        Async.run(() -> {
            var failures = new ArrayList<Throwable>();
            try (var db = around().circuitBreaker(new CircuitBreakerStrategy() {
                        @Override
                        public void reportSuccess(CircuitBreaker source) {}

                        @Override
                        public void reportFailure(CircuitBreaker source, Throwable error) {
                            failures.add(error);
                        }

                        @Override
                        public boolean shouldRecover() {
                            return true;
                        }
                    })
                    .build()) {
                try (var c = db.getConnection()) {
                    c.setAutoCommit(false);
                    Sql.execute(c, "set something = 1");
                }
                assertThat(db.pool().count()).isZero();
                assertThat(fake.calls).containsSubsequence("Connection.rollback", "Connection.close");
                assertThat(failures).isEmpty();
            }
        });
    }

    @Test
    @Tag("P36")
    void sharedConnectionClosedAfterALostTransaction_usableAgain() {
        Async.run(() -> {
            try (var db = around().build()) {
                Connection shared = db.shared();
                shared.setAutoCommit(false);
                Sql.execute(shared, "insert into t values (1)");
                fake.fails("Statement.execute", new SQLException("lost", "08006"));
                assertThatThrownBy(() -> Sql.execute(shared, "insert into t values (2)"))
                        .hasMessage("lost");
                fake.behaves("Statement.execute");
                assertThatThrownBy(() -> Sql.execute(shared, "insert into t values (2)"))
                        .hasMessageContaining("roll back first");
                shared.close();
                Sql.execute(shared, "insert into t values (2)");
                shared.commit();
            }
        });
    }

    @Test
    @Tag("P32")
    @Tag("F79")
    void valuesThatNobodyFrees_heldOnlyAsLongAsTheirUserHasThem() {
        Async.run(() -> {
            try (var db = around().build()) {
                var s = db.shared().prepareStatement("select tags from t");
                var row = s.executeQuery();
                var dropped = new WeakReference<>(row.getArray(1));
                while (dropped.get() != null) {
                    System.gc();
                    Async.delay(Duration.ofMillis(1));
                }
                var kept = row.getArray(2);
                s.close();
                assertThat(db.pool().activeCount()).isEqualTo(1);
                kept.free();
                while (db.pool().activeCount() > 0) {
                    Async.delay(Duration.ofMillis(1));
                    db.shared().createStatement().close();
                }
            }
        });
    }
}
