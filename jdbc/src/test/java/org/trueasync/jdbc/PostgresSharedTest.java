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
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObjectManager;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;

/** One connection for everybody, and the physical one that each coroutine has under it. */
@Tag("P31")
@Tag("P32")
class PostgresSharedTest {
    private static final String ROLE = "sharing";

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void table() {
        server.role(ROLE, 4);
        server.executeAs(ROLE, "create table thing(n int, bytes bytea, large oid)");
    }

    private static PooledDataSource.Builder pool(int max) {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(max);
    }

    @Test
    void transactionsAtTheSameTime_neverTwoCoroutinesOnOneConnection() {
        Async.run(() -> {
            try (var db = pool(4).build()) {
                Connection shared = db.shared();
                var inUse = new HashSet<Integer>();
                var users = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 200; i++) {
                    users.add(spawn(() -> {
                        shared.setAutoCommit(false);
                        int pid = Sql.pid(shared);
                        assertThat(inUse.add(pid)).as("session %s is free", pid).isTrue();
                        for (int n = 0; n < 3; n++) assertThat(Sql.pid(shared)).isEqualTo(pid);
                        assertThat(shared.getAutoCommit()).isFalse();
                        inUse.remove(pid);
                        shared.commit();
                    }));
                }
                awaitAllOrFail(users);
                assertThat(shared.getAutoCommit()).isTrue();
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isBetween(1, 4);
            }
        });
    }

    @Test
    void nothingOpen_coroutinesThatLiveOnHoldNoConnection() {
        Async.run(() -> {
            try (var db = pool(2).build()) {
                var gate = new FutureState<Void>();
                var users = new ArrayList<Coroutine<?>>();
                int[] asked = {0};
                for (int i = 0; i < 100; i++) {
                    users.add(spawn(() -> {
                        assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
                        asked[0]++;
                        await(gate.future());
                    }));
                }
                while (asked[0] < 100) delay(1);
                assertThat(db.pool().activeCount()).isZero();
                gate.complete(null);
                awaitAllOrFail(users);
            }
        });
    }

    private interface Holding {
        AutoCloseable on(Connection shared) throws SQLException;
    }

    /** What holds its coroutine's connection, until it is closed. */
    private static void pins(boolean transaction, Holding holding) {
        Async.run(() -> {
            try (var db = pool(2).build()) {
                Connection shared = db.shared();
                if (transaction) shared.setAutoCommit(false);
                AutoCloseable held = holding.on(shared);
                assertThat(db.pool().activeCount()).as("connections held").isEqualTo(1);
                int pid = Sql.pid(shared);
                assertThat(Sql.pid(shared)).isEqualTo(pid);
                held.close();
                if (transaction) shared.commit();
                assertThat(db.pool().activeCount())
                        .as("connections held afterwards")
                        .isZero();
            }
        });
    }

    @Test
    void openStatement_pins() {
        pins(false, shared -> {
            var statement = shared.createStatement();
            statement.execute("select 1");
            return statement;
        });
    }

    @Test
    void openResult_pins() {
        pins(false, shared -> {
            var statement = shared.createStatement();
            statement.closeOnCompletion();
            ResultSet rows = statement.executeQuery("select * from generate_series(1, 100)");
            rows.next();
            return rows;
        });
    }

    @Test
    void resultOfTheMetadata_pins() {
        pins(false, shared -> shared.getMetaData().getTables(null, null, "thing", null));
    }

    @Test
    void cursor_pinsAndReadsToItsEnd() {
        pins(true, shared -> {
            var statement = shared.createStatement();
            statement.setFetchSize(10);
            ResultSet rows = statement.executeQuery("select n from generate_series(1, 1000) n");
            int sum = 0;
            while (rows.next()) {
                sum += rows.getInt(1);
                if (rows.getInt(1) % 100 == 0) suspend();
            }
            assertThat(sum).isEqualTo(500_500);
            return statement;
        });
    }

    @Test
    void rawBegin_pinsUntilRawCommit() {
        pins(false, shared -> {
            Sql.execute(shared, "begin", "insert into thing values (1)");
            return () -> Sql.execute(shared, "commit");
        });
    }

    @Test
    void savepoint_pins() {
        pins(true, shared -> {
            var savepoint = shared.setSavepoint();
            Sql.execute(shared, "insert into thing values (1)");
            return () -> shared.rollback(savepoint);
        });
    }

    @Test
    void largeObject_pinsAndIsReadInPieces() {
        pins(true, shared -> {
            LargeObjectManager objects = shared.unwrap(PGConnection.class).getLargeObjectAPI();
            long id = objects.createLO();
            try (var out = objects.open(id, LargeObjectManager.WRITE)) {
                for (int i = 0; i < 100; i++) out.write(new byte[10_000]);
            }
            var in = objects.open(id, LargeObjectManager.READ);
            int length = 0;
            for (byte[] piece; (piece = in.read(8_192)).length > 0; length += piece.length) {}
            assertThat(length).isEqualTo(1_000_000);
            in.close();
            // whoever has the driver's own object has its connection
            return shared;
        });
    }

    @Test
    void blob_pins() {
        pins(true, shared -> {
            try (var insert = shared.prepareStatement("insert into thing(n, large) values (1, ?)")) {
                insert.setBlob(1, new java.io.ByteArrayInputStream(new byte[100_000]));
                insert.executeUpdate();
            }
            var query = shared.createStatement();
            ResultSet row = query.executeQuery("select large from thing");
            row.next();
            var blob = row.getBlob(1);
            assertThat(blob.length()).isEqualTo(100_000);
            assertThat(blob.getBytes(99_991, 100)).hasSize(10);
            return () -> {
                blob.free();
                query.close();
            };
        });
    }

    @Test
    void bytea_writtenAndRead() throws SQLException {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                byte[] bytes = new byte[3_000_000];
                new java.util.Random(1).nextBytes(bytes);
                try (var insert = db.shared().prepareStatement("insert into thing(n, bytes) values (1, ?)")) {
                    insert.setBinaryStream(1, new java.io.ByteArrayInputStream(bytes));
                    insert.executeUpdate();
                }
                try (var query = db.shared().createStatement();
                        ResultSet row = query.executeQuery("select bytes from thing")) {
                    row.next();
                    assertThat(row.getBinaryStream(1).readAllBytes()).isEqualTo(bytes);
                }
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    @Tag("P36")
    void inTransactionAndWarnings_acquireNothing() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                assertThat(db.inTransaction()).isFalse();
                assertThatObject(db.shared().getWarnings()).isNull();
                assertThat(db.shared().getAutoCommit()).isTrue();
                assertThat(db.shared().isClosed()).isFalse();
                db.shared().clearWarnings();
                assertThat(db.pool().stats().created()).isZero();
                assertThat(server.connections(ROLE)).isZero();
            }
        });
    }

    @Test
    void inTransaction_isOfTheCoroutineThatAsks() {
        Async.run(() -> {
            try (var db = pool(2).build()) {
                Sql.execute(db.shared(), "begin");
                assertThat(db.inTransaction()).isTrue();
                assertThat(await(spawn(() -> db.inTransaction()))).isFalse();
                Sql.execute(db.shared(), "commit");
                assertThat(db.inTransaction()).isFalse();
            }
        });
    }

    @Test
    @Tag("P36")
    void statementOfAnotherCoroutine_isRefused() {
        Async.run(() -> {
            try (var db = pool(2).build()) {
                try (PreparedStatement mine = db.shared().prepareStatement("select pg_backend_pid()");
                        Connection own = db.getConnection()) {
                    mine.executeQuery().close();
                    for (var call : List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                            mine::executeQuery, own::createStatement, own::commit, () -> own.setAutoCommit(false)))
                        await(spawn(() -> assertThatThrownBy(call).isInstanceOf(SQLException.class)));
                    mine.executeQuery().close();
                    assertThat(Sql.number(own, "select 1")).isEqualTo(1);
                }
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    void closeOfTheSharedConnection_isNotTheEndForOthers() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                try (Connection shared = db.shared()) {
                    shared.setAutoCommit(false);
                    Sql.execute(shared, "insert into thing values (1)");
                }
                await(spawn(() -> assertThat(Sql.number(db.shared(), "select count(*) from thing"))
                        .isZero()));
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
    }
}
