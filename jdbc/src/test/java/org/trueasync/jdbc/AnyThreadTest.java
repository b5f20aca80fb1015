package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Coroutine;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

/** A data source in the hands of threads that are no coroutines of its runtime. */
@Tag("P31")
@Timeout(60)
class AnyThreadTest {
    private static final String ROLE = "any_thread";
    private static final AtomicInteger MEMORIES = new AtomicInteger();

    enum Database {
        H2,
        POSTGRES;

        PooledDataSource.Builder pool(int max) {
            if (this == H2)
                return PooledDataSource.forUrl(
                                "jdbc:h2:mem:threads" + MEMORIES.incrementAndGet() + ";DB_CLOSE_DELAY=-1")
                        .max(max);
            PostgresServer server = PostgresServer.get();
            server.role(ROLE, 5);
            return PooledDataSource.forUrl(server.url()).user(ROLE).max(max);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** A thread's work, and how it ended. */
    private static CompletableFuture<Boolean> on(Thread.Builder builder, Work work) {
        var end = new CompletableFuture<Boolean>();
        builder.start(() -> {
            try {
                work.run();
                end.complete(true);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    private static CompletableFuture<Boolean> onThread(Work work) {
        return on(Thread.ofPlatform().name("user").daemon(true), work);
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) delay(1);
    }

    private static void insert(PooledDataSource db, int n) throws SQLException {
        try (var c = db.getConnection();
                var s = c.prepareStatement("insert into t values (?)")) {
            s.setInt(1, n);
            s.executeUpdate();
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsOfEveryKind_areServed(Database database) {
        Async.run(() -> {
            try (var db = database.pool(2).build()) {
                Sql.execute(db.shared(), "create table t(n int)");
                blocking(() -> insert(db, 1));
                await(onThread(() -> insert(db, 2)));
                await(on(Thread.ofVirtual(), () -> insert(db, 3)));
                await(onThread(() -> on(Thread.ofVirtual(), () -> insert(db, 4)).join()));
                await(CompletableFuture.supplyAsync(() -> {
                    try {
                        insert(db, 5);
                        return true;
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }));
                await(onThread(() -> Async.run(() -> insert(db, 6))));
                insert(db, 7);
                assertThat(Sql.number(db.shared(), "select sum(n) from t")).isEqualTo(28);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isLessThanOrEqualTo(2);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsAndCoroutines_neverMoreThanMax(Database database) {
        Async.run(() -> {
            try (var db = database.pool(3).build()) {
                Sql.execute(db.shared(), "create table t(n int)");
                var all = new ArrayList<CompletableFuture<Boolean>>();
                var coroutines = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 20; i++) {
                    all.add(onThread(() -> {
                        for (int k = 0; k < 5; k++) insert(db, 1);
                    }));
                    coroutines.add(spawn(() -> {
                        for (int k = 0; k < 5; k++) insert(db, 1);
                    }));
                }
                awaitAllOrFail(coroutines);
                for (var one : all) await(one);
                assertThat(Sql.number(db.shared(), "select sum(n) from t")).isEqualTo(200);
                assertThat(db.pool().count()).isLessThanOrEqualTo(3);
                assertThat(db.pool().stats().created()).isLessThanOrEqualTo(3);
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void allInUse_threadsAndCoroutinesAreServedInTheOrderOfTheirCalls(Database database) {
        Async.run(() -> {
            try (var db = database.pool(1).build()) {
                List<String> order = Collections.synchronizedList(new ArrayList<>());
                Connection held = db.getConnection();
                var thread = onThread(() -> {
                    try (var c = db.getConnection()) {
                        order.add("thread " + Sql.number(c, "select 1"));
                    }
                });
                until(() -> db.pool().stats().waiting() == 1);
                var coroutine = spawn(() -> {
                    try (var c = db.getConnection()) {
                        order.add("coroutine " + Sql.number(c, "select 1"));
                    }
                });
                until(() -> db.pool().stats().waiting() == 2);
                held.close();
                await(coroutine);
                await(thread);
                assertThat(order).containsExactly("thread 1", "coroutine 1");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void transactionLeftOpenByAThread_isOverWhenCloseReturns(Database database) {
        Async.run(() -> {
            try (var db = database.pool(2).build()) {
                Sql.execute(db.shared(), "create table t(n int)");
                await(onThread(() -> {
                    Connection c = db.getConnection();
                    c.setAutoCommit(false);
                    Sql.execute(c, "insert into t values (1)");
                    c.close();
                    assertThat(c.isClosed()).isTrue();
                    assertThatThrownBy(c::createStatement).isInstanceOf(SQLException.class);
                    try (var again = db.getConnection()) {
                        assertThat(again.getAutoCommit()).isTrue();
                        assertThat(Sql.number(again, "select count(*) from t")).isZero();
                    }
                }));
                assertThat(db.pool().count()).isLessThanOrEqualTo(2);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void takenOnOneThread_usedAndClosedOnOthers(Database database) {
        Async.run(() -> {
            try (var db = database.pool(1).build()) {
                var taken = new AtomicReference<@Nullable Connection>();
                await(onThread(() -> taken.set(db.getConnection())));
                Connection c = taken.get();
                assertThat(c).isNotNull();
                await(on(Thread.ofVirtual(), () -> assertThat(Sql.number(c, "select 2"))
                        .isEqualTo(2)));
                assertThat(Sql.number(c, "select 3")).isEqualTo(3);
                assertThat(db.pool().activeCount()).isEqualTo(1);
                c.close();
                assertThat(db.pool().activeCount()).isZero();
                await(onThread(() -> taken.set(db.getConnection())));
                await(on(Thread.ofVirtual(), () -> taken.get().close()));
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void oneConnectionOnManyThreads_oneCallAtATime() {
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var odd = new OddDriver().on("Statement.executeUpdate", (self, arguments) -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.yield();
            inside.decrementAndGet();
            return 1;
        });
        Async.run(() -> {
            try (var db = PooledDataSource.around(odd).max(1).build()) {
                await(onThread(() -> {
                    try (var c = db.getConnection();
                            var s = c.createStatement()) {
                        var users = new ArrayList<CompletableFuture<Boolean>>();
                        for (int i = 0; i < 8; i++)
                            users.add(onThread(() -> {
                                for (int k = 0; k < 200; k++) s.executeUpdate("x");
                            }));
                        for (var one : users) one.join();
                    }
                }));
                assertThat(most).hasValue(1);
                assertThat(odd.count("Statement.executeUpdate")).isEqualTo(1_600);
            }
        });
    }

    // ---- who does not get one

    @ParameterizedTest
    @EnumSource
    void interruptedWhileItWaits_toldSoAndNothingIsLost(Database database) {
        Async.run(() -> {
            try (var db = database.pool(1).build()) {
                Connection held = db.getConnection();
                var waiting = new AtomicReference<@Nullable Thread>();
                var thread = onThread(() -> {
                    waiting.set(Thread.currentThread());
                    assertThatThrownBy(db::getConnection)
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("thread 'user' was interrupted");
                    assertThat(Thread.interrupted()).isTrue();
                });
                until(() -> db.pool().stats().waiting() == 1);
                waiting.get().interrupt();
                await(thread);
                until(() -> db.pool().stats().waiting() == 0);
                held.close();
                assertThat(db.pool().idleCount()).isEqualTo(1);
                await(onThread(() -> db.getConnection().close()));
            }
        });
    }

    @Test
    void bodyOfBlockingCancelled_leavesItsPlace() {
        Async.run(() -> {
            try (var db = Database.H2.pool(1).build()) {
                Connection held = db.getConnection();
                var user = spawn(() -> blocking(() -> db.getConnection().close()));
                until(() -> db.pool().stats().waiting() == 1);
                user.cancel();
                until(() -> db.pool().stats().waiting() == 0);
                held.close();
                assertThat(db.pool().idleCount()).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void nothingFreeInTime_toldHowThingsAre(Database database) {
        Async.run(() -> {
            try (var db = database.pool(1)
                            .name("orders")
                            .connectionTimeout(Duration.ofSeconds(1))
                            .build();
                    Connection held = Sql.first(db)) {
                await(onThread(() -> assertThatThrownBy(db::getConnection)
                        .isInstanceOf(SQLTransientConnectionException.class)
                        .hasMessageContaining("orders")
                        .hasMessageContaining("active=1")));
                until(() -> db.pool().stats().waiting() == 0);
                assertThat(held.isValid(30)).isTrue();
            }
        });
    }

    @Test
    void loopThatIsHeld_threadGivesUpInTimeAndGetsNothingLater() {
        Async.run(() -> {
            try (var db =
                    Database.H2.pool(1).connectionTimeout(Duration.ofMillis(50)).build()) {
                var thread = onThread(() -> assertThatThrownBy(db::getConnection)
                        .isInstanceOf(SQLTransientConnectionException.class)
                        .hasMessageContaining("holds the loop"));
                while (!thread.isDone()) Thread.onSpinWait();
                await(thread);
                delay(5);
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    void noConnectionCanBeMade_theDriversErrorTellsWhoAsked() {
        var odd = new OddDriver().fails("connect", new SQLException("no such host", "08001"));
        Async.run(() -> {
            try (var db = PooledDataSource.around(odd).build()) {
                await(onThread(() -> assertThatThrownBy(db::getConnection)
                        .isInstanceOf(SQLException.class)
                        .hasMessage("no such host")
                        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("thread 'user'"))));
            }
        });
    }

    @Test
    void callbackOfTheLoop_refusedAtOnce() {
        Async.run(() -> {
            try (var db = Database.H2.pool(1).build()) {
                var told = new CompletableFuture<Throwable>();
                TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1));
                timer.addCallback(new EventCallback() {
                    @Override
                    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                        try {
                            db.getConnection();
                            told.completeExceptionally(new AssertionError("got one"));
                        } catch (SQLException e) {
                            told.complete(e);
                        }
                    }
                });
                timer.start();
                assertThat(await(told)).hasMessageContaining("callback of the loop");
            }
        });
    }

    // ---- who does not give it back

    @Test
    void neverClosedAndForgotten_itsPlaceIsFreeOnceCollected() {
        Async.run(() -> {
            try (var db = Database.H2.pool(1).build()) {
                await(onThread(() -> db.getConnection().createStatement()));
                assertThat(db.pool().activeCount()).isEqualTo(1);
                until(() -> {
                    System.gc();
                    return db.pool().stats().leaked() == 1;
                });
                await(onThread(() -> db.getConnection().close()));
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void keptForLong_reportedWithTheThread() {
        var logged = new CompletableFuture<String>();
        var logger = java.util.logging.Logger.getLogger("org.trueasync.jdbc");
        var handler = new java.util.logging.Handler() {
            @Override
            public void publish(java.util.logging.LogRecord line) {
                if (line.getThrown() != null) logged.complete(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            Async.run(() -> {
                try (var db = Database.H2
                        .pool(1)
                        .name("kept")
                        .leakDetectionThreshold(Duration.ofMillis(20))
                        .build()) {
                    var thread = onThread(() -> {
                        try (var _ = db.getConnection()) {
                            logged.join();
                        }
                    });
                    assertThat(await(logged)).contains("thread 'user' has kept a connection of kept");
                    await(thread);
                }
            });
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
    }

    // ---- the end of the data source, and of the run

    @ParameterizedTest
    @EnumSource
    void closedWhileThreadsWait_theyHearOfIt(Database database) {
        Async.run(() -> {
            var db = database.pool(1).build();
            Connection held = db.getConnection();
            var waiting = new ArrayList<CompletableFuture<Boolean>>();
            for (int i = 0; i < 3; i++)
                waiting.add(onThread(() -> assertThatThrownBy(db::getConnection)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("closed")));
            until(() -> db.pool().stats().waiting() == 3);
            blocking(() -> db.close());
            for (var one : waiting) await(one);
            assertThat(Sql.number(held, "select 1")).isEqualTo(1);
            held.close();
            assertThat(db.pool().count()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void closedByThreadsOfEveryKind(Database database) {
        Async.run(() -> {
            List<java.util.function.Consumer<Work>> ways = List.of(
                    work -> await(onThread(work)),
                    work -> await(on(Thread.ofVirtual(), work)),
                    work -> await(onThread(() -> on(Thread.ofVirtual(), work).join())),
                    work -> await(onThread(() -> Async.run(() -> {
                        work.run();
                    }))),
                    work -> blocking(() -> {
                        work.run();
                        return true;
                    }));
            for (var way : ways) {
                var db = database.pool(2).build();
                Connection mine = db.getConnection();
                var theirs = new AtomicReference<@Nullable Connection>();
                await(onThread(() -> theirs.set(db.getConnection())));
                way.accept(db::close);
                assertThat(db.pool().isClosed()).isTrue();
                way.accept(db::close);
                assertThat(Sql.number(mine, "select 1")).isEqualTo(1);
                way.accept(() -> {
                    assertThat(Sql.number(theirs.get(), "select 1")).isEqualTo(1);
                    theirs.get().close();
                });
                mine.close();
                assertThat(db.pool().count()).isZero();
                await(onThread(() -> assertThatThrownBy(db::getConnection)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("closed")));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void runHasEnded_whatAThreadHasItCanUseAndCloseButNothingMoreIsHad(Database database) throws Exception {
        var source = new AtomicReference<@Nullable PooledDataSource>();
        var theirs = new AtomicReference<@Nullable Connection>();
        Async.run(() -> {
            var db = database.pool(2).build();
            source.set(db);
            Sql.execute(db.shared(), "create table t(n int)");
            await(onThread(() -> theirs.set(db.getConnection())));
        });
        PooledDataSource db = source.get();
        Connection c = theirs.get();
        c.setAutoCommit(false);
        Sql.execute(c, "insert into t values (1)");
        assertThatThrownBy(db::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("its runtime has ended")
                .hasCauseInstanceOf(EndOfRun.class);
        db.close();
        c.close();
        assertThat(c.isClosed()).isTrue();
        if (database == Database.POSTGRES) PostgresServer.get().awaitConnections(ROLE, 0);
    }

    @Test
    void runIsShutDown_whoWaitsHearsOfIt() throws Exception {
        var thread = new AtomicReference<@Nullable CompletableFuture<Boolean>>();
        AsyncRuntime runtime = Async.runtime().build();
        runtime.run(() -> {
            var db = Database.H2.pool(1).connectionTimeout(Duration.ZERO).build();
            Connection held = db.getConnection();
            thread.set(onThread(() -> assertThatThrownBy(db::getConnection).isInstanceOf(SQLException.class)));
            until(() -> db.pool().stats().waiting() == 1);
            runtime.shutdown(new AsyncCancellation("enough"));
            try {
                delay(Duration.ofSeconds(50));
            } finally {
                assertThat(held.isClosed()).isFalse();
            }
        });
        thread.get().get();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("deep")
    void threadsGoOnWhileTheRunEnds_allEndAndNothingIsLeft(Database database) throws Exception {
        for (int round = 0; round < 5; round++) {
            var threads = new ArrayList<CompletableFuture<Boolean>>();
            Async.run(() -> {
                var db = database.pool(3).build();
                var begun = new CountDownLatch(6);
                for (int i = 0; i < 6; i++) {
                    boolean virtual = i % 2 == 0;
                    Work storm = () -> {
                        try {
                            while (true) {
                                try (var c = db.getConnection()) {
                                    assertThat(Sql.number(c, "select 1")).isEqualTo(1);
                                }
                                begun.countDown();
                            }
                        } catch (SQLException e) {
                            assertThat(e.getMessage()).contains("closed");
                        }
                    };
                    threads.add(blocking(() -> on(virtual ? Thread.ofVirtual() : Thread.ofPlatform(), storm)));
                }
                begun.await();
            });
            for (var one : threads) one.get();
            if (database == Database.POSTGRES) PostgresServer.get().awaitConnections(ROLE, 0);
        }
    }

    @Test
    void coroutineWaitsWithoutALimitForWhatAThreadHas_isNoDeadlock() {
        AsyncRuntime runtime = Async.runtime().build();
        runtime.run(() -> {
            try (var db = Database.H2.pool(1).connectionTimeout(Duration.ZERO).build()) {
                var taken = new CompletableFuture<Boolean>();
                var thread = onThread(() -> {
                    try (var _ = db.getConnection()) {
                        taken.complete(true);
                        while (db.pool().stats().waiting() == 0) Thread.onSpinWait();
                        // each is answered by a loop that has nothing else to do
                        for (int i = 0; i < 10; i++) runtime.stats();
                    }
                });
                await(taken);
                db.getConnection().close();
                await(thread);
            }
        });
    }

    // ---- coroutines of other runtimes

    @Test
    void anothersCoroutineCancelledInAStatement_theConnectionSurvives() {
        PostgresServer server = PostgresServer.get();
        Async.run(() -> {
            try (var db = Database.POSTGRES.pool(1).build()) {
                int before = Sql.pid(db.shared());
                await(onThread(() -> Async.run(() -> {
                    var sleeper = spawn(() -> Sql.execute(db.getConnection(), "select pg_sleep(600)"));
                    until(() -> server.sleeping(ROLE) == 1);
                    sleeper.cancel();
                    assertThatThrownBy(() -> await(sleeper)).isInstanceOf(AsyncCancellation.class);
                })));
                assertThat(Sql.pid(db.shared())).isEqualTo(before);
                assertThat(server.busy(ROLE)).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anothersCoroutineEndsWithoutClosing_itsConnectionsGoBack(Database database) {
        Async.run(() -> {
            try (var db = database.pool(2).build()) {
                Sql.execute(db.shared(), "create table t(n int)");
                await(onThread(() -> Async.run(() -> {
                    var careless = spawn(() -> {
                        Connection c = db.getConnection();
                        c.setAutoCommit(false);
                        Sql.execute(c, "insert into t values (1)");
                        db.shared().setAutoCommit(false);
                        Sql.execute(db.shared(), "insert into t values (2)");
                        assertThat(db.inTransaction()).isTrue();
                    });
                    await(careless);
                    assertThat(db.pool().activeCount()).isZero();
                })));
                assertThat(Sql.number(db.shared(), "select count(*) from t")).isZero();
                assertThat(db.pool().count()).isEqualTo(2);
            }
        });
    }

    @Test
    void statementOfAThread_cancelledByAnother() {
        PostgresServer server = PostgresServer.get();
        Async.run(() -> {
            try (var db = Database.POSTGRES.pool(1).build()) {
                var running = new AtomicReference<java.sql.@Nullable Statement>();
                var thread = onThread(() -> {
                    try (var c = db.getConnection();
                            var s = c.createStatement()) {
                        running.set(s);
                        assertThatThrownBy(() -> s.execute("select pg_sleep(600)"))
                                .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                        .isEqualTo("57014"));
                        assertThat(Sql.number(c, "select 1")).isEqualTo(1);
                    }
                });
                until(() -> server.sleeping(ROLE) == 1);
                running.get().cancel();
                await(thread);
                assertThat(db.pool().idleCount()).isEqualTo(1);
            }
        });
    }
}
