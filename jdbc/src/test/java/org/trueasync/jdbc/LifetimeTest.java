package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.testkit.VirtualTime;

/** What happens to connections in the course of time, which is virtual here. */
class LifetimeTest {
    private final FakeDatabase fake = new FakeDatabase();

    private PooledDataSource.Builder pool() {
        return PooledDataSource.around(fake.source()).name("fake").healthcheckInterval(Duration.ofSeconds(1));
    }

    private static void use(PooledDataSource db) throws SQLException {
        db.getConnection().close();
    }

    @Test
    @Tag("P30")
    void nothingConnectsBeforeTheFirstUse_unlessMinSaysSo() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().build()) {
                assertThat(fake.sessions).isEmpty();
                use(db);
                assertThat(fake.sessions).hasSize(1);
            }
            try (var db = pool().min(2).build()) {
                assertThat(fake.open()).isEqualTo(2);
                assertThat(db.pool().idleCount()).isEqualTo(2);
            }
            assertThat(fake.open()).isZero();
        });
    }

    @Test
    @Tag("P30")
    void whatCannotBeConnectedForMin_failsTheBuild() {
        VirtualTime.run((Body) () -> {
            fake.disturbance = (session, call) -> {
                if (call.equals("connect") && fake.sessions.size() == 2) throw new SQLException("no more", "28000");
            };
            assertThatThrownBy(() -> pool().min(3).build())
                    .isInstanceOf(SQLException.class)
                    .hasMessage("no more");
            assertThat(fake.open()).isZero();
        });
    }

    @Test
    @Tag("P30")
    void idleOnesThatAreKeptAlive_areClosedNevertheless() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().keepaliveTime(Duration.ofSeconds(30))
                    .idleTimeout(Duration.ofSeconds(100))
                    .build()) {
                use(db);
                Async.delay(Duration.ofSeconds(95));
                assertThat(fake.session(1).calls).contains("isValid");
                assertThat(fake.open()).isEqualTo(1);
                Async.delay(Duration.ofSeconds(10));
                assertThat(fake.open()).isZero();
            }
        });
    }

    @Test
    void tooOldOnes_areReplacedWhenIdleAndWhenTheyComeBack() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().min(1).maxLifetime(Duration.ofSeconds(100)).build()) {
                Async.delay(Duration.ofSeconds(97));
                assertThat(fake.sessions).hasSize(1);
                Async.delay(Duration.ofSeconds(4));
                assertThat(fake.session(1).closed).isTrue();
                assertThat(fake.open()).isEqualTo(1);

                var c = db.getConnection();
                Async.delay(Duration.ofSeconds(200));
                assertThat(fake.session(2).closed).isFalse();
                c.close();
                Async.delay(Duration.ofSeconds(2));
                assertThat(fake.session(2).closed).isTrue();
            }
        });
    }

    @Test
    void notAllAtOnce_thoughMadeAtOnce() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().min(10).maxLifetime(Duration.ofSeconds(4_000)).build()) {
                assertThat(db.pool().count()).isEqualTo(10);
                Async.delay(Duration.ofSeconds(3_899));
                assertThat(fake.sessions).hasSize(10);
                var counts = new ArrayList<Integer>();
                for (int i = 0; i < 10; i++) {
                    Async.delay(Duration.ofSeconds(11));
                    counts.add(fake.sessions.size());
                }
                assertThat(counts.getLast()).isEqualTo(20);
                assertThat(counts.stream().distinct().count()).isGreaterThan(2);
            }
        });
    }

    @Test
    void idleOnesBeyondMin_goAfterTheIdleTimeout() {
        VirtualTime.run((Body) () -> {
            try (var db =
                    pool().min(1).max(3).idleTimeout(Duration.ofSeconds(10)).build()) {
                var all = List.of(db.getConnection(), db.getConnection(), db.getConnection());
                Async.delay(Duration.ofSeconds(60));
                for (var c : all) c.close();
                Async.delay(Duration.ofSeconds(9));
                assertThat(db.pool().count()).isEqualTo(3);
                Async.delay(Duration.ofSeconds(3));
                assertThat(db.pool().count()).isEqualTo(1);
                Async.delay(Duration.ofSeconds(60));
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void idleOnes_areLookedAtNowAndThen() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().keepaliveTime(Duration.ofSeconds(20)).build()) {
                use(db);
                Async.delay(Duration.ofSeconds(19));
                assertThat(fake.session(1).calls).doesNotContain("isValid");
                Async.delay(Duration.ofSeconds(3));
                assertThat(fake.session(1).calls).containsOnlyOnce("isValid");
                fake.valid = false;
                Async.delay(Duration.ofSeconds(21));
                assertThat(fake.session(1).closed).isTrue();
                assertThat(db.pool().count()).isZero();
            }
        });
    }

    @Test
    @Tag("P34")
    void handedOutAfterAWhile_itIsLookedAtFirst() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().build()) {
                use(db);
                use(db);
                assertThat(fake.session(1).calls).doesNotContain("isValid");
                Async.delay(600);
                fake.valid = false;
                try (var c = db.getConnection()) {
                    assertThat(c.isWrapperFor(java.sql.Connection.class)).isTrue();
                    assertThat(fake.session(1).closed).isTrue();
                    assertThat(fake.sessions).hasSize(2);
                }
            }
        });
    }

    @Test
    @Tag("P38")
    void nothingFreeInTime_isSaidWithThePoolsNameAndState() {
        VirtualTime.run((Body) () -> {
            try (var db = pool().max(1).connectionTimeout(Duration.ofSeconds(3)).build();
                    var c = db.getConnection()) {
                var second = Async.spawn(() -> db.getConnection());
                assertThatThrownBy(() -> Async.await(second))
                        .hasCauseInstanceOf(SQLTransientConnectionException.class)
                        .hasMessageContaining("Pool 'fake' (max=1 active=1 idle=0")
                        .hasMessageContaining("3");
                assertThat(c.isClosed()).isFalse();
            }
        });
    }

    @Test
    void aServerThatIsStarting_isAskedAgain() {
        VirtualTime.run((Body) () -> {
            int[] asked = {0};
            fake.disturbance = (session, call) -> {
                if (call.equals("connect") && asked[0]++ < 5) throw new SQLException("starting up", "57P03");
            };
            try (var db = pool().build()) {
                use(db);
                assertThat(asked[0]).isEqualTo(6);
                asked[0] = Integer.MIN_VALUE;
                Async.delay(1_000);
                fake.valid = false;
                assertThatThrownBy(() -> use(db))
                        .isInstanceOf(SQLException.class)
                        .hasMessage("starting up");
                assertThat(asked[0] - Integer.MIN_VALUE).isBetween(30, 100);
            }
        });
    }

    @Test
    void keptTooLong_isReportedOnceWithThePlace() {
        List<LogRecord> records = warnings(() -> {
            try (var db = pool().leakDetectionThreshold(Duration.ofSeconds(5)).build()) {
                use(db);
                var c = db.getConnection();
                Async.delay(Duration.ofSeconds(20));
                c.close();
            }
        });
        assertThat(records).hasSize(1);
        assertThat(records.getFirst().getMessage()).contains("fake").contains("PT5S");
        assertThat(records.getFirst().getThrown().getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(LifetimeTest.class.getName()));
    }

    @Test
    void keptWhileTheLoopWasHeld_isNoLeak() {
        List<LogRecord> records = warnings(() -> {
            try (var db = pool().leakDetectionThreshold(Duration.ofSeconds(5)).build()) {
                var c = db.getConnection();
                for (int i = 0; i < 20; i++) {
                    VirtualTime.advance(Duration.ofSeconds(1));
                    Async.delay(100);
                }
                c.close();
            }
        });
        assertThat(records).isEmpty();
    }

    @Test
    void keptTooLongAfterTheLoopWasHeld_isReported() {
        List<LogRecord> records = warnings(() -> {
            try (var db = pool().leakDetectionThreshold(Duration.ofSeconds(5)).build()) {
                var c = db.getConnection();
                VirtualTime.advance(Duration.ofSeconds(20));
                Async.delay(Duration.ofSeconds(21));
                c.close();
            }
        });
        assertThat(records).hasSize(1);
    }

    private static List<LogRecord> warnings(Body main) {
        var records = new ArrayList<LogRecord>();
        Logger logger = Logger.getLogger("org.trueasync.jdbc");
        var handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                records.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            VirtualTime.run(main);
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
        return records;
    }

    @Test
    void badSettings_areRefusedByValue() {
        assertThatThrownBy(() -> pool().maxLifetime(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxLifetime must be >= 0, got PT-1S");
        assertThatThrownBy(() -> pool().validationTimeout(Duration.ZERO)).hasMessageContaining("must be > 0");
        assertThatThrownBy(() -> pool().statementCache(-1)).hasMessageContaining("got -1");
        assertThatThrownBy(() -> PooledDataSource.forUrl("postgresql://x")).hasMessageContaining("jdbc:");
        assertThatThrownBy(() -> PooledDataSource.forUrl("jdbc:h2:mem:")).hasMessageContaining("name");
        VirtualTime.run((Body) () ->
                assertThatThrownBy(() -> pool().min(5).max(4).build()).isInstanceOf(IllegalArgumentException.class));
    }
}
