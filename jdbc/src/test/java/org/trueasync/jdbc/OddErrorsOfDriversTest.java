package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.CompositeException;

/** Errors of drivers that refuse to carry another one. */
@Timeout(100)
@Tag("F51")
class OddErrorsOfDriversTest {
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
