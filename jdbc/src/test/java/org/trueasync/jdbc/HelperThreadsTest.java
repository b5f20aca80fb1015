package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Blob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/** Calls of a driver on helper threads, with a driver that shows what it is asked and does not always listen. */
@Tag("P31")
@Timeout(100)
class HelperThreadsTest {
    private final OddDriver odd = new OddDriver();

    private PooledDataSource.Builder around() {
        return PooledDataSource.around(odd).max(1).onHelperThreads(true);
    }

    /** Cannot be interrupted, as native code. */
    private static void block(CountDownLatch gate) {
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException ignored) {
                // as native code would
            }
        }
    }

    private void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
        for (; !condition.getAsBoolean(); delay(1))
            if (System.nanoTime() > end)
                throw new AssertionError("not within 15 s; " + odd.open() + " are open after " + odd.calls);
    }

    @Test
    void whatMayBlock_isCalledOffTheLoopAndWhatIsAtHandOnIt() {
        List<String> where = Collections.synchronizedList(new ArrayList<>());
        for (String call : List.of(
                "connect",
                "Connection.createStatement",
                "Connection.prepareStatement",
                "Connection.commit",
                "Connection.setAutoCommit",
                "Connection.getMetaData",
                "DatabaseMetaData.getTables",
                "Statement.executeQuery",
                "PreparedStatement.setInt",
                "PreparedStatement.executeQuery",
                "ResultSet.next",
                "ResultSet.getInt",
                "ResultSet.getBlob",
                "Blob.length",
                "ResultSet.close",
                "Connection.close"))
            odd.on(call, (self, arguments) -> {
                where.add(call + (Thread.currentThread().isVirtual() ? " loop" : " helper"));
                return switch (call) {
                    case "connect" -> null;
                    case "Connection.createStatement" -> odd.new Fake(Statement.class).proxy;
                    case "Connection.prepareStatement" -> odd.new Fake(PreparedStatement.class).proxy;
                    case "Connection.getMetaData" -> odd.new Fake(java.sql.DatabaseMetaData.class).proxy;
                    case "ResultSet.getBlob" -> odd.new Fake(Blob.class).proxy;
                    case "ResultSet.next" -> true;
                    case "ResultSet.getInt" -> 7;
                    case "Blob.length" -> 3L;
                    case "Connection.close", "ResultSet.close" -> self.closed = true;
                    default ->
                        call.endsWith("Query") || call.endsWith("Tables") ? odd.new Fake(ResultSet.class).proxy : null;
                };
            });
        Async.run(() -> {
            try (var db = around().build()) {
                try (var c = db.getConnection()) {
                    where.clear();
                    try (var s = c.createStatement();
                            var r = s.executeQuery("x")) {
                        assertThat(r.next()).isTrue();
                        assertThat(r.getInt(1)).isEqualTo(7);
                        assertThat(r.getBlob(1).length()).isEqualTo(3);
                    }
                    try (var s = c.prepareStatement("x")) {
                        s.setInt(1, 1);
                        s.executeQuery().close();
                    }
                    c.getMetaData().getTables(null, null, null, null).close();
                    c.setAutoCommit(false);
                    c.commit();
                }
            }
        });
        assertThat(where)
                .contains("Blob.length helper", "DatabaseMetaData.getTables helper", "Connection.close helper")
                .filteredOn(call -> call.endsWith(" loop"))
                .containsOnly("ResultSet.getInt loop", "PreparedStatement.setInt loop");
    }

    @Test
    void callsOfOneConnection_oneAtATimeAndInOrder() {
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        List<Object> order = Collections.synchronizedList(new ArrayList<>());
        odd.on("Statement.executeUpdate", (self, arguments) -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            order.add(arguments[0]);
            Thread.yield();
            inside.decrementAndGet();
            return 1;
        });
        Async.run(() -> {
            try (var db = around().build()) {
                var all = new ArrayList<Coroutine<?>>();
                var expected = new ArrayList<Object>();
                for (int i = 0; i < 50; i++) {
                    String text = "update " + i;
                    expected.add(text);
                    all.add(spawn(() -> Sql.execute(db.shared(), text)));
                    all.add(spawn(() -> {
                        try (var s = db.shared().createStatement()) {
                            s.executeUpdate(text);
                        }
                    }));
                }
                awaitAllOrFail(all);
                assertThat(most).hasValue(1);
                assertThat(order).isEqualTo(expected);
            }
        });
    }

    @Test
    void driverThatDoesNotListen_theCoroutineEndsAndTheConnectionIsClosedAfterTheCall() {
        var gate = new CountDownLatch(1);
        var begun = new CompletableFuture<Boolean>();
        odd.on("Statement.execute", (self, arguments) -> {
            begun.complete(true);
            block(gate);
            return false;
        });
        Async.run(() -> {
            // so long it waits for the call that does not end; all others have to end within it
            try (var db = around().validationTimeout(Duration.ofSeconds(1)).build()) {
                var query = spawn(() -> Sql.execute(db.getConnection(), "x"));
                await(begun);
                query.cancel();
                assertThatThrownBy(() -> await(query)).isInstanceOf(AsyncCancellation.class);
                until(() -> odd.calls.containsAll(List.of("Statement.cancel", "Connection.abort")));
                assertThat(db.pool().count()).isZero();
                odd.behaves("Statement.execute");
                // a word that is known, so that the connection goes back before the coroutine's end
                Sql.execute(db.shared(), "select 1");
                assertThat(odd.count("Connection.close")).isZero();
                gate.countDown();
                until(() -> odd.count("Connection.close") == 1);
                assertThat(odd.count("connect")).isEqualTo(2);
            }
            until(() -> odd.open() == 0);
        });
    }

    @Test
    void connectingTakesTooLong_whatComesLaterIsClosed() {
        var gate = new CountDownLatch(1);
        odd.on("connect", (self, arguments) -> {
            block(gate);
            return null;
        });
        Async.run(() -> {
            try (var db = around().connectionTimeout(Duration.ofMillis(30)).build()) {
                assertThatThrownBy(db::getConnection).isInstanceOf(SQLException.class);
                gate.countDown();
                until(() -> odd.count("Connection.close") == 1 && odd.open() == 0);
            }
        });
    }

    @Test
    void threadInterruptedInACall_itsConnectionIsLostAndReplaced() {
        var gate = new CountDownLatch(1);
        var begun = new CompletableFuture<Thread>();
        odd.on("Statement.execute", (self, arguments) -> {
            begun.complete(Thread.currentThread());
            block(gate);
            return false;
        });
        Async.run(() -> {
            try (var db = around().build()) {
                var ended = new CompletableFuture<Throwable>();
                Thread guest = Thread.ofVirtual().start(() -> {
                    try (Connection c = db.getConnection()) {
                        Sql.execute(c, "x");
                        ended.completeExceptionally(new AssertionError("executed"));
                    } catch (Throwable e) {
                        ended.complete(e);
                    }
                });
                await(begun);
                guest.interrupt();
                assertThat(await(ended)).isInstanceOf(SQLException.class).hasMessageContaining("interrupted");
                gate.countDown();
                until(() -> odd.open() == 0);
                odd.behaves("Statement.execute");
                Sql.execute(db.shared(), "next");
            }
        });
    }
}
