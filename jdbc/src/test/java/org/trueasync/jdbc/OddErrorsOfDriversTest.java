package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.Async;
import org.trueasync.CompositeException;
import org.trueasync.Coroutine;

/** Errors of drivers whose own methods fail: they arrive as they are, and no connection is lost by them. */
@Timeout(100)
@Tag("F51")
class OddErrorsOfDriversTest {
    enum Way {
        STATE,
        CODE,
        NEXT,
        MESSAGE,
        TEXT,
        CAUSE,
        FRAMES
    }

    private static final class OddSqlException extends SQLException {
        private static final long serialVersionUID = 1;
        private final Way way;

        OddSqlException(Way way) {
            super("odd", "42000", 7);
            this.way = way;
        }

        private <T> T unless(Way asked, T answer) {
            if (way == asked) throw new UnsupportedOperationException("a method of the error fails");
            return answer;
        }

        @Override
        public String getSQLState() {
            return unless(Way.STATE, super.getSQLState());
        }

        @Override
        public int getErrorCode() {
            return unless(Way.CODE, super.getErrorCode());
        }

        @Override
        public SQLException getNextException() {
            return unless(Way.NEXT, super.getNextException());
        }

        @Override
        public String getMessage() {
            return unless(Way.MESSAGE, super.getMessage());
        }

        @Override
        public String toString() {
            return unless(Way.TEXT, "odd error");
        }

        @Override
        @SuppressWarnings({"UnsynchronizedOverridesSynchronized", "NullAway"})
        public @Nullable Throwable getCause() {
            return unless(Way.CAUSE, super.getCause());
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return unless(Way.FRAMES, super.getStackTrace());
        }
    }

    /** Refuses to carry another one. */
    private static final class BareException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BareException() {
            super("bare", null, false, true);
        }
    }

    private final OddDriver fake = new OddDriver();

    private PooledDataSource.Builder around() {
        return PooledDataSource.around(fake).max(1).validationTimeout(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @EnumSource
    void statementFails_theErrorArrivesAndTheConnectionServesTheNextOne(Way way) {
        var odd = new OddSqlException(way);
        Async.run(() -> {
            try (var db = around().build()) {
                fake.fails("Statement.execute", odd);
                fake.fails("PreparedStatement.executeUpdate", odd);
                Coroutine<?> asking = Async.spawn(() -> {
                    try (Connection c = db.getConnection()) {
                        assertThat(catchThrowable(() -> c.createStatement().execute("select 1")) == odd)
                                .isTrue();
                        assertThat(catchThrowable(() ->
                                                c.prepareStatement("update").executeUpdate())
                                        == odd)
                                .isTrue();
                    }
                });
                Async.await(asking);
                assertThat(db.pool().activeCount()).isZero();
                fake.behaves("Statement.execute");
                try (var c = db.getConnection();
                        var s = c.createStatement()) {
                    s.execute("select 1");
                }
                assertThat(fake.count("connect")).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void connectFails_theErrorArrivesAndThePlaceIsFree(Way way) {
        var odd = new OddSqlException(way);
        Async.run(() -> {
            try (var db = around().build()) {
                fake.fails("connect", odd);
                Throwable seen = catchThrowable(db::getConnection);
                assertThat(seen == odd).isTrue();
                fake.behaves("connect");
                db.getConnection().close();
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    void errorThatCarriesNothing_losesNoErrorOfTheCloseAfterIt() {
        var bare = new BareException();
        var close = new IllegalStateException("no close");
        Async.run(() -> {
            try (var db = around().connectionInitSql("set x").build()) {
                fake.fails("Statement.execute", bare).fails("Connection.close", close);
                assertThat(catchThrowable(db::getConnection))
                        .isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                                .containsExactly(bare, close));
                assertThat(db.pool().count()).isZero();
            }
        });
    }
}
