package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Coroutine;

class SharedConnectionTest {
    private static PooledDataSource database(String name) throws SQLException {
        PooledDataSource db = PooledDataSource.forUrl("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1")
                .max(3)
                .build();
        try (var c = db.getConnection();
                var s = c.createStatement()) {
            s.execute("create table t(id int primary key, who varchar(40))");
        }
        return db;
    }

    private static int count(Connection c) throws SQLException {
        try (var s = c.createStatement();
                var r = s.executeQuery("select count(*) from t")) {
            r.next();
            return r.getInt(1);
        }
    }

    @Test
    @Tag("P31")
    @Tag("P32")
    void eachStatementTakesAConnectionAndGivesItBack() {
        Async.run(() -> {
            try (var db = database("early")) {
                Connection shared = db.shared();
                assertThat(shared.getAutoCommit()).isTrue();
                assertThat((Object) shared.getWarnings()).isNull();
                assertThat(db.inTransaction()).isFalse();
                assertThat(db.pool().activeCount()).isZero();
                try (var s = shared.prepareStatement("insert into t values (?, ?)")) {
                    assertThat(db.pool().activeCount()).isEqualTo(1);
                    s.setInt(1, 1);
                    s.setString(2, "one");
                    assertThat(s.executeUpdate()).isEqualTo(1);
                    assertThat(s.getConnection()).isSameAs(shared);
                }
                assertThat(db.pool().activeCount()).isZero();
                assertThat(count(shared)).isEqualTo(1);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(shared.getMetaData().getDatabaseProductName()).isEqualTo("H2");
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    @Tag("P31")
    @Tag("P32")
    void aTransactionIsTheCoroutinesOwn() {
        Async.run(() -> {
            try (var db = database("own")) {
                Connection shared = db.shared();
                shared.setAutoCommit(false);
                try (var s = shared.createStatement()) {
                    s.execute("insert into t values (1, 'one')");
                }
                assertThat(db.inTransaction()).isTrue();
                assertThat(db.pool().activeCount()).isEqualTo(1);
                Coroutine<Integer> other = Async.spawn(() -> {
                    assertThat(shared.getAutoCommit()).isTrue();
                    return count(shared);
                });
                assertThat(Async.<Integer>await(other)).isZero();
                shared.rollback();
                assertThat(db.inTransaction()).isFalse();
                assertThat(db.pool().activeCount()).isZero();
                assertThat(count(shared)).isZero();
                shared.commit();
            }
        });
    }

    @Test
    @Tag("P32")
    @Tag("P33")
    void whatACoroutineLeavesOpenIsRolledBackBeforeAnybodyIsTold() {
        Async.run(() -> {
            try (var db = database("careless")) {
                for (int i = 0; i < 10; i++) {
                    var careless = Async.spawn(() -> {
                        var c = db.getConnection();
                        c.setAutoCommit(false);
                        var s = c.createStatement();
                        s.execute("insert into t values (1, 'one')");
                        return s;
                    });
                    var left = Async.await(careless);
                    assertThat(db.pool().activeCount()).isZero();
                    assertThat(left.isClosed()).isTrue();
                    assertThatThrownBy(() -> left.execute("delete from t")).isInstanceOf(SQLException.class);
                    assertThat(count(db.shared())).isZero();
                }
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P31")
    void anotherCoroutineIsRefused() {
        Async.run(() -> {
            try (var db = database("refused");
                    var c = db.getConnection()) {
                var stranger = Async.spawn(() -> count(c));
                assertThatThrownBy(() -> Async.await(stranger))
                        .hasCauseInstanceOf(SQLException.class)
                        .hasMessageContaining("#" + Async.currentCoroutine().id());
                assertThat(count(c)).isZero();
            }
        });
    }

    @Test
    @Tag("P38")
    void manyCoroutinesShareFewConnections() {
        Async.run(() -> {
            try (var db = database("many")) {
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 1_000; i++) {
                    int n = i;
                    all.add(Async.spawn(() -> {
                        try (var s = db.shared().prepareStatement("insert into t values (?, ?)")) {
                            s.setInt(1, n);
                            s.setString(2, "x");
                            s.executeUpdate();
                        }
                    }));
                }
                Async.awaitAllOrFail(all);
                assertThat(db.pool().count()).isLessThanOrEqualTo(3);
                assertThat(count(db.shared())).isEqualTo(1_000);
            }
        });
    }
}
