package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.testkit.VirtualTime;

class LostPlansAndTransactionsTest {
    private final FakeDatabase fake = new FakeDatabase();
    private int executed;

    private PooledDataSource open() throws SQLException {
        return PooledDataSource.around(fake.source()).name("fake").build();
    }

    private void failOnce(String state) {
        executed = 0;
        fake.disturbance = (session, call) -> {
            if (call.startsWith("execute") && executed++ == 0) throw new SQLException("expected", state);
        };
    }

    @Test
    @Tag("P32")
    @Tag("P33")
    void endOfATransactionPreparedOnly_theOpenOneIsRolledBack() {
        Async.run(() -> {
            var odd = new OddDriver(); // it tells nothing of transactions
            try (var db = PooledDataSource.around(odd).max(1).build()) {
                try (var c = db.getConnection();
                        var start = c.prepareStatement("START TRANSACTION");
                        var end = c.prepareCall("COMMIT")) {
                    assertThat(db.inTransaction()).isFalse();
                    start.execute();
                    end.getParameterMetaData();
                }
                assertThat(odd.count("Connection.rollback")).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P32")
    @Tag("P33")
    void beginningExecutedAgainAfterTheEnd_rolledBack() {
        Async.run(() -> {
            var odd = new OddDriver();
            try (var db = PooledDataSource.around(odd).max(1).build()) {
                try (var c = db.getConnection();
                        var start = c.prepareStatement("START TRANSACTION");
                        var end = c.prepareStatement("COMMIT")) {
                    start.execute();
                    end.executeUpdate();
                    start.executeUpdate();
                }
                assertThat(odd.count("Connection.rollback")).isEqualTo(1);
                try (var c = db.getConnection();
                        var start = c.prepareStatement("START TRANSACTION");
                        var end = c.prepareStatement("COMMIT")) {
                    start.execute();
                    end.execute();
                }
                assertThat(odd.count("Connection.rollback"))
                        .as("nothing was open")
                        .isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P32")
    @Tag("P33")
    void endOfATransactionInABatchThatIsNotExecuted_rolledBack() {
        Async.run(() -> {
            var odd = new OddDriver();
            try (var db = PooledDataSource.around(odd).max(1).build()) {
                try (var c = db.getConnection();
                        var s = c.createStatement()) {
                    s.execute("START TRANSACTION");
                    s.addBatch("COMMIT");
                    s.clearBatch();
                    s.executeBatch();
                }
                assertThat(odd.count("Connection.rollback")).isEqualTo(1);
                try (var c = db.getConnection();
                        var s = c.createStatement()) {
                    s.addBatch("START TRANSACTION");
                    s.addBatch("COMMIT");
                    s.executeBatch();
                }
                assertThat(odd.count("Connection.rollback"))
                        .as("nothing was open")
                        .isEqualTo(1);
                try (var c = db.getConnection();
                        var start = c.prepareStatement("START TRANSACTION")) {
                    start.addBatch();
                    start.executeLargeBatch();
                }
                assertThat(odd.count("Connection.rollback")).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("P37")
    void aLostPlan_isMadeAgainUnlessInputWasConsumed() {
        VirtualTime.run((Body) () -> {
            try (var db = open();
                    var c = db.getConnection();
                    var s = c.prepareStatement("insert into t values (?)")) {
                s.setObject(1, "plain");
                failOnce("0A000");
                s.executeUpdate();
                assertThat(executed).isEqualTo(2);
                for (Object stream : new Object[] {new ByteArrayInputStream(new byte[3]), new StringReader("abc")}) {
                    try (var other = c.prepareStatement("insert into t values (?)")) {
                        other.setObject(1, stream);
                        failOnce("0A000");
                        assertThatThrownBy(other::executeUpdate).hasMessage("expected");
                        assertThat(executed).isEqualTo(1);
                    }
                }
            }
        });
    }

    @Test
    @Tag("P34")
    void aLostTransaction_isToldToWhoeverCommitsBySettingAutoCommit() {
        VirtualTime.run((Body) () -> {
            try (var db = open()) {
                Connection shared = db.shared();
                shared.setAutoCommit(false);
                try (var s = shared.createStatement()) {
                    s.execute("insert into t values (1)");
                    failOnce("08006");
                    assertThatThrownBy(() -> s.execute("insert into t values (2)"))
                            .hasMessage("expected");
                }
                assertThatThrownBy(() -> shared.setAutoCommit(true))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                .isEqualTo("08007"));
                assertThat(shared.getAutoCommit()).isTrue();
                Sql.execute(shared, "insert into t values (3)");
                assertThat(fake.sessions).hasSize(2);
                assertThat(fake.session(1).closed).isTrue();
            }
        });
    }

    @Test
    @Tag("P34")
    void aTransactionOfSqlIsLost_settingAutoCommitAgainCommitsNothing() {
        VirtualTime.run((Body) () -> {
            try (var db = open()) {
                Connection shared = db.shared();
                failOnce("57P01");
                assertThatThrownBy(() -> Sql.execute(shared, "begin")).hasMessage("expected");
                shared.setAutoCommit(true);
                assertThatThrownBy(shared::createStatement)
                        .as("what was to be in the transaction must not be executed without one")
                        .hasMessageContaining("roll back first");
                shared.rollback();
                Sql.execute(shared, "insert into t values (1)");
            }
        });
    }

    @Test
    @Tag("P34")
    void aRollbackLosesTheConnection_theTransactionHasEnded() {
        VirtualTime.run((Body) () -> {
            try (var db = open()) {
                Connection shared = db.shared();
                shared.setAutoCommit(false);
                Sql.execute(shared, "insert into t values (1)");
                fake.disturbance = (session, call) -> {
                    if (call.equals("rollback")) throw new SQLException("expected", "08006");
                };
                assertThatThrownBy(shared::rollback).hasMessage("expected");
                shared.setAutoCommit(true);
                Sql.execute(shared, "insert into t values (2)");
                assertThat(fake.sessions).hasSize(2);
                assertThat(fake.session(1).closed).isTrue();
            }
        });
    }
}
