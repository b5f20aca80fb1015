package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.spi.ExitActions;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SwitchHandlers;

/** Places from where a connection can't be had, or just so. */
@Timeout(100)
class WhoMayAskTest {
    private final OddDriver fake = new OddDriver();

    private PooledDataSource.Builder around() {
        return PooledDataSource.around(fake).max(3);
    }

    private static List<Throwable> everyWay(PooledDataSource db) {
        var thrown = new ArrayList<Throwable>();
        List<Callable<Object>> ways = List.of(
                db::getConnection,
                () -> db.shared().getAutoCommit(),
                () -> db.shared().createStatement(),
                db::inTransaction,
                () -> db.shared().getMetaData().getURL());
        for (Callable<Object> way : ways) {
            try {
                way.call();
            } catch (Throwable e) {
                thrown.add(e);
            }
        }
        return thrown;
    }

    private void refusedEverywhere(List<Throwable> thrown) {
        assertThat(thrown).hasSize(5).allSatisfy(e -> assertThat(e).isInstanceOf(SQLException.class));
    }

    @Test
    @Tag("P31")
    void anotherRuntimesCoroutine_servedInEveryWay() {
        Async.run(() -> {
            try (var db = around().build()) {
                var thrown = new ArrayList<Throwable>();
                Async.blocking(() -> Async.run(() -> {
                    thrown.addAll(everyWay(db));
                }));
                assertThat(thrown).isEmpty();
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("P31")
    void foreignThread_hasConnectionsOfItsOwnAndNoShare() {
        Async.run(() -> {
            try (var db = around().build()) {
                List<Throwable> thrown = Async.blocking(() -> everyWay(db));
                assertThat(thrown).hasSize(4).allSatisfy(e -> assertThat(e)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("getConnection()"));
                assertThat(db.pool().activeCount()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P32")
    void switchHandlerAtTheEnd_getsNothingThatNobodyWouldGiveBack() {
        Async.run(() -> {
            try (var db = around().build()) {
                db.getConnection().close();
                var thrown = new ArrayList<Throwable>();
                Coroutine<?> user = Async.spawn(() -> {
                    SwitchHandlers.add((coroutine, entering, finishing) -> {
                        if (finishing) thrown.addAll(everyWay(db));
                        return true;
                    });
                });
                Async.await(user);
                refusedEverywhere(thrown);
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @Test
    @Tag("P32")
    void exitActionAndFinallyHandler_giveBackWhatTheyTook() {
        Async.run(() -> {
            try (var db = around().build()) {
                var thrown = new ArrayList<Throwable>();
                var served = new ArrayList<Integer>();
                Coroutine<?> user = Async.spawn(() -> {
                    ExitActions.add(() -> {
                        thrown.addAll(everyWay(db));
                        served.add(db.pool().activeCount());
                    });
                    db.getConnection();
                    Async.currentCoroutine().onFinally(c -> {
                        thrown.addAll(everyWay(db));
                        served.add(db.pool().activeCount());
                    });
                });
                Async.await(user);
                Async.delay(Duration.ofMillis(5));
                assertThat(thrown).isEmpty();
                assertThat(served).containsExactly(2, 2);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isEqualTo(2);
            }
        });
    }

    @Test
    @Tag("P32")
    void microtask_itsCoroutineGivesBack() {
        Async.run(() -> {
            try (var db = around().build()) {
                db.getConnection().close();
                var thrown = new ArrayList<Throwable>();
                Coroutine<?> user = Async.spawn(() -> {
                    Microtask.of(() -> thrown.addAll(everyWay(db))).enqueue();
                    Async.delay(Duration.ofMillis(5));
                });
                Async.await(user);
                assertThat(thrown).isEmpty();
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }
}
