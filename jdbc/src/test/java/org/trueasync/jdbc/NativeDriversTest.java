package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.Function;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/** SQLite and DuckDB, which run in native code on the thread that calls. */
@Tag("P31")
@Timeout(60)
class NativeDriversTest {
    private static final String ENDLESS =
            "with recursive n(i) as (select 1 union all select i + 1 from n) select sum(i) from n";

    @TempDir
    Path folder;

    enum Native {
        SQLITE,
        DUCKDB;

        String url(Path folder) {
            return "jdbc:" + name().toLowerCase(java.util.Locale.ROOT) + ":" + folder.resolve("data.db");
        }
    }

    private static void onLoop(Work work) {
        Async.run(() -> {
            work.run();
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void ordinaryWork_asWithAnyDriver(Native driver) {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(driver.url(folder)).max(1).build()) {
                try (var c = db.getConnection()) {
                    Sql.execute(c, "create table item(id integer primary key, name varchar(20), price double)");
                    try (var s = c.prepareStatement("insert into item values (?, ?, ?)")) {
                        for (int i = 0; i < 20; i++) {
                            s.setInt(1, i);
                            s.setString(2, "item " + i);
                            s.setDouble(3, i * 1.5);
                            s.addBatch();
                        }
                        assertThat(s.executeBatch()).hasSize(20);
                    }
                    c.setAutoCommit(false);
                    Sql.execute(c, "delete from item");
                    c.rollback();
                    c.setAutoCommit(true);
                }
                try (var c = db.getConnection();
                        var s = c.prepareStatement("select id, name, price from item where id >= ? order by id")) {
                    s.setInt(1, 18);
                    try (ResultSet r = s.executeQuery()) {
                        assertThat(r.getMetaData().getColumnCount()).isEqualTo(3);
                        assertThat(r.next()).isTrue();
                        assertThat(r.getInt("id")).isEqualTo(18);
                        assertThat(r.getString(2)).isEqualTo("item 18");
                        assertThat(r.getDouble(3)).isEqualTo(27.0);
                        assertThat(r.next()).isTrue();
                        assertThat(r.getObject(2)).isEqualTo("item 19");
                        assertThat(r.wasNull()).isFalse();
                        assertThat(r.next()).isFalse();
                    }
                    try (ResultSet tables = c.getMetaData().getTables(null, null, "item", null)) {
                        assertThat(tables.next()).isTrue();
                        assertThat(tables.getString("TABLE_NAME")).isEqualTo("item");
                    }
                    assertThat(c.isValid(1)).isTrue();
                }
                assertThat(db.pool().stats().created()).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void transactionLeftOpen_isRolledBack(Native driver) {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(driver.url(folder)).max(1).build()) {
                Sql.execute(db.shared(), "create table t(n integer)");
                await(spawn(() -> {
                    Connection c = db.getConnection();
                    c.setAutoCommit(false);
                    Sql.execute(c, "insert into t values (1)");
                }));
                assertThat(Sql.number(db.shared(), "select count(*) from t")).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void errors_tellTheCallersPlace(Native driver) {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(driver.url(folder)).max(1).build();
                    var c = db.getConnection()) {
                assertThatThrownBy(() -> Sql.execute(c, "select * from nowhere"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("nowhere")
                        .satisfies(e -> assertThat(List.of(e.getStackTrace()))
                                .anyMatch(frame -> frame.getClassName().equals(Sql.class.getName())));
                assertThat(Sql.number(c, "select 1")).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void endlessQuery_othersGoOnAndACancellationEndsIt(Native driver) {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(driver.url(folder))
                    .max(1)
                    .validationTimeout(Duration.ofSeconds(50))
                    .build()) {
                Sql.execute(db.shared(), "create table t(n integer)");
                for (int round = 0; round < 3; round++) {
                    var query = spawn(() -> Sql.number(db.shared(), ENDLESS));
                    for (int i = 0; i < 20; i++) delay(1);
                    assertThat(query.isCompleted()).isFalse();
                    query.cancel();
                    assertThatThrownBy(() -> await(query)).isInstanceOf(AsyncCancellation.class);
                    assertThat(db.pool().activeCount()).isZero();
                    Sql.execute(db.shared(), "insert into t values (1)");
                }
                assertThat(Sql.number(db.shared(), "select count(*) from t")).isEqualTo(3);
                assertThat(db.pool().stats().created()).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void timeLimit_endsAQuery(Native driver) {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(driver.url(folder)).max(1).build()) {
                assertThatThrownBy(() -> Async.withTimeout(
                                java.time.Duration.ofMillis(30), () -> Sql.number(db.shared(), ENDLESS)))
                        .isInstanceOf(org.trueasync.AsyncTimeoutException.class);
                assertThat(Sql.number(db.shared(), "select 1")).isEqualTo(1);
            }
        });
    }

    /** SQLite has one class for a result and its description, and for a statement and its parameters. */
    private static void describes(Connection c) throws SQLException {
        try (var s = c.prepareStatement("select ? as one, 2 as two")) {
            assertThat(s.getParameterMetaData().getParameterCount()).isEqualTo(1);
            assertThat(s.getMetaData().getColumnCount()).isPositive();
            s.setInt(1, 1);
            try (ResultSet r = s.executeQuery()) {
                assertThat(r.getMetaData().getColumnLabel(2)).isEqualTo("two");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void descriptions_ofResultsAndParameters(Native driver) {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(driver.url(folder)).build();
                    var c = db.getConnection()) {
                describes(c);
            }
        });
    }

    /** Notes where it is called. */
    private static void createHere(Connection c, List<Thread> called) throws SQLException {
        Function.create(c.unwrap(SQLiteConnection.class), "here", new Function() {
            @Override
            protected void xFunc() throws SQLException {
                called.add(Thread.currentThread());
                result(1);
            }
        });
    }

    @Test
    void query_onAHelperThreadForCoroutinesAndOnTheSpotForThreads() {
        List<Thread> called = Collections.synchronizedList(new ArrayList<>());
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(Native.SQLITE.url(folder)).build()) {
                try (var c = db.getConnection()) {
                    assertThat(c.isWrapperFor(SQLiteConnection.class)).isTrue();
                    createHere(c, called);
                    assertThat(Sql.number(c, "select here()")).isEqualTo(1);
                }
                Thread used = blocking(() -> {
                    try (var c = db.getConnection()) {
                        createHere(c, called);
                        assertThat(Sql.number(c, "select here()")).isEqualTo(1);
                    }
                    return Thread.currentThread();
                });
                assertThat(called).hasSize(2);
                assertThat(called.getFirst().getName()).startsWith("trueasync-jdbc-");
                assertThat(called.getFirst().isDaemon()).isTrue();
                assertThat(called.getLast()).isSameAs(used);
            }
        });
    }

    @Test
    void dataSourceOfANativeDriver_runsOnHelperThreadsToo() {
        List<Thread> called = Collections.synchronizedList(new ArrayList<>());
        var source = new SQLiteDataSource();
        source.setUrl(Native.SQLITE.url(folder));
        onLoop(() -> {
            try (var db = PooledDataSource.around(source).build();
                    var c = db.getConnection()) {
                createHere(c, called);
                assertThat(Sql.number(c, "select here()")).isEqualTo(1);
                assertThat(called.getFirst().getName()).startsWith("trueasync-jdbc-");
                assertThat(db.unwrap(SQLiteDataSource.class)).isSameAs(source);
            }
        });
    }

    @Test
    void switchedOff_runsOnTheLoop() {
        List<Thread> called = Collections.synchronizedList(new ArrayList<>());
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(Native.SQLITE.url(folder))
                            .onHelperThreads(false)
                            .build();
                    var c = db.getConnection()) {
                createHere(c, called);
                assertThat(Sql.number(c, "select here()")).isEqualTo(1);
                assertThat(called).containsExactly(Thread.currentThread());
                describes(c);
            }
        });
    }

    @Test
    void queryThatWaitsForAnotherCoroutine_isServed() {
        var ticked = new CountDownLatch(3);
        var order = Collections.synchronizedList(new ArrayList<String>());
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(Native.SQLITE.url(folder)).build()) {
                Coroutine<?> query = spawn(() -> {
                    try (var c = db.getConnection()) {
                        Function.create(c.unwrap(SQLiteConnection.class), "gate", new Function() {
                            @Override
                            protected void xFunc() throws SQLException {
                                order.add("begun");
                                try {
                                    ticked.await();
                                } catch (InterruptedException e) {
                                    throw new SQLException(e);
                                }
                                result(1);
                            }
                        });
                        Sql.number(c, "select gate()");
                        order.add("ended");
                    }
                });
                while (!order.contains("begun")) delay(1);
                while (ticked.getCount() > 0) {
                    order.add("tick");
                    ticked.countDown();
                    delay(1);
                }
                await(query);
                assertThat(order).containsExactly("begun", "tick", "tick", "tick", "ended");
            }
        });
    }

    @Test
    void manyCoroutines_eachWithItsTransaction() {
        onLoop(() -> {
            try (var db = PooledDataSource.forUrl(Native.SQLITE.url(folder))
                    .property("busy_timeout", "20000")
                    .property("transaction_mode", "IMMEDIATE")
                    .max(4)
                    .build()) {
                Sql.execute(db.shared(), "create table t(n integer)", "insert into t values (0)");
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 40; i++)
                    all.add(spawn(() -> {
                        try (var c = db.getConnection()) {
                            c.setAutoCommit(false);
                            int n = Sql.number(c, "select n from t");
                            Sql.execute(c, "update t set n = " + (n + 1));
                            c.commit();
                        }
                    }));
                awaitAllOrFail(all);
                assertThat(Sql.number(db.shared(), "select n from t")).isEqualTo(40);
            }
        });
    }
}
