package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trueasync.Async;
import org.trueasync.Coroutine;

/** Prepared statements that are kept, and plans that become stale. */
@Tag("P37")
class PostgresStatementsTest {
    private static final String ROLE = "preparing";

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void table() {
        server.role(ROLE, -1);
        server.executeAs(
                ROLE, "create table thing(n int, what text)", "insert into thing values (1, 'one'), (2, 'two')");
    }

    private static PooledDataSource.Builder pool(int cache) {
        // prepared on the server at the first use
        return PooledDataSource.forUrl(server.url())
                .user(ROLE)
                .property("prepareThreshold", "1")
                .max(1)
                .statementCache(cache);
    }

    private static List<String> rows(Connection c, int from) throws SQLException {
        try (PreparedStatement query = c.prepareStatement("select * from thing where n >= ? order by n")) {
            query.setInt(1, from);
            var found = new ArrayList<String>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) found.add(rows.getString(2));
            }
            return found;
        }
    }

    @ParameterizedTest
    @CsvSource({"0,false", "20,false", "0,true", "20,true"})
    void planInvalidatedByDdl_preparedAgainOutsideATransaction(int cache, boolean shared) {
        Async.run(() -> {
            try (var db = pool(cache).build();
                    Connection own = shared ? null : db.getConnection()) {
                Connection c = shared ? db.shared() : own;
                for (int i = 0; i < 10; i++) assertThat(rows(c, 1)).containsExactly("one", "two");
                server.execute(
                        "alter table preparing.thing alter column what type varchar(100)",
                        "alter table preparing.thing add more int");
                for (int i = 0; i < 10; i++) assertThat(rows(c, 1)).containsExactly("one", "two");
                server.execute("alter table preparing.thing drop more");
                for (int i = 0; i < 10; i++) assertThat(rows(c, 2)).containsExactly("two");
            }
        });
    }

    @Test
    void planInvalidatedInATransaction_errorAndTheNextTransactionWorks() {
        Async.run(() -> {
            try (var db = pool(20).build();
                    Connection c = db.getConnection()) {
                for (int i = 0; i < 10; i++) rows(c, 1);
                c.setAutoCommit(false);
                Sql.execute(c, "insert into thing values (3, 'three')");
                c.commit();
                Sql.execute(c, "select 1");
                server.execute("alter table preparing.thing add more int");
                assertThatThrownBy(() -> rows(c, 1))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("cached plan");
                c.rollback();
                assertThat(rows(c, 1)).containsExactly("one", "two", "three");
                c.commit();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "100"})
    void manyStatements_eachIsItself(int cache) {
        Async.run(() -> {
            try (var db = pool(cache).max(3).build()) {
                var users = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 100; i++) {
                    int n = i;
                    users.add(spawn(() -> {
                        try (Connection c = db.getConnection()) {
                            for (int k = 0; k < 20; k++) {
                                int constant = (n + k) % 7;
                                try (var query = c.prepareStatement("select ? + " + constant)) {
                                    query.setInt(1, n);
                                    try (ResultSet row = query.executeQuery()) {
                                        row.next();
                                        assertThat(row.getInt(1)).isEqualTo(n + constant);
                                    }
                                }
                            }
                        }
                    }));
                }
                awaitAllOrFail(users);
            }
        });
    }

    @Test
    void keptStatement_hasNothingOfItsLastUse() {
        Async.run(() -> {
            try (var db = pool(10).build();
                    Connection c = db.getConnection()) {
                String sql = "select n, ?::text from thing, generate_series(1, 100)";
                try (var query = c.prepareStatement(sql)) {
                    query.setString(1, "first");
                    query.setMaxRows(1);
                    query.setFetchSize(7);
                    query.setQueryTimeout(5);
                    query.closeOnCompletion();
                    query.addBatch();
                    query.executeQuery().next();
                }
                try (var query = c.prepareStatement(sql)) {
                    assertThat(query.getMaxRows()).isZero();
                    assertThat(query.getFetchSize()).isZero();
                    assertThat(query.getQueryTimeout()).isZero();
                    assertThat(query.isCloseOnCompletion()).isFalse();
                    assertThatObject(query.getWarnings()).isNull();
                    assertThat(query.isClosed()).isFalse();
                    assertThat(query.executeBatch()).isEmpty();
                    assertThatThrownBy(query::executeQuery)
                            .as("no parameter is set")
                            .isInstanceOf(SQLException.class);
                }
            }
        });
    }

    @Test
    void sameSqlTwiceAtATime_twoStatements() {
        Async.run(() -> {
            try (var db = pool(10).build();
                    Connection c = db.getConnection();
                    var one = c.prepareStatement("select n from thing order by n");
                    var other = c.prepareStatement("select n from thing order by n");
                    ResultSet first = one.executeQuery();
                    ResultSet second = other.executeQuery()) {
                first.next();
                second.next();
                second.next();
                assertThat(first.getInt(1)).isEqualTo(1);
                assertThat(second.getInt(1)).isEqualTo(2);
                first.next();
                assertThat(first.getInt(1)).isEqualTo(2);
            }
        });
    }

    @Test
    void closedStatement_isClosedForItsUserAlthoughItIsKept() {
        Async.run(() -> {
            try (var db = pool(10).build();
                    Connection c = db.getConnection()) {
                var query = c.prepareStatement("select n from thing");
                ResultSet rows = query.executeQuery();
                query.close();
                query.close();
                assertThat(query.isClosed()).isTrue();
                assertThat(rows.isClosed()).isTrue();
                assertThatThrownBy(query::executeQuery).isInstanceOf(SQLException.class);
                try (var again = c.prepareStatement("select n from thing")) {
                    query.close();
                    assertThat(again.isClosed()).isFalse();
                    again.executeQuery().close();
                }
            }
        });
    }

    @Test
    @Tag("deep")
    void statementsOfAKilledConnection_goWithIt() {
        Async.run(() -> {
            try (var db = pool(10).build()) {
                for (int round = 0; round < 3; round++) {
                    try (Connection c = db.getConnection()) {
                        assertThat(rows(c, 2)).containsExactly("two");
                    }
                    server.terminateAll(ROLE);
                    server.awaitConnections(ROLE, 0);
                    delay(1_100);
                }
            }
        });
    }
}
