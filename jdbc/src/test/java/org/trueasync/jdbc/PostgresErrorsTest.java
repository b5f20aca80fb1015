package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.*;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.trueasync.Async;

/** Who may come in, what is said to those who may not, and that no password is told. */
@Tag("P35")
class PostgresErrorsTest {
    private static final String ROLE = "guarded";
    private static final String PASSWORD = "s3cret-word";

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void role() {
        server.roleWithPassword(ROLE, PASSWORD);
    }

    /** The error with all its causes and stacks, as somebody would log it. */
    private static String log(Throwable error) {
        var text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static SQLException refused(PooledDataSource db) {
        Throwable error = catchThrowable(() -> db.getConnection().close());
        assertThat(error).isInstanceOf(SQLException.class);
        assertThat(log(error)).doesNotContain(PASSWORD);
        assertThat(db.pool().count()).isZero();
        return (SQLException) error;
    }

    @Test
    @Tag("deep")
    void credentials_areForEachConnection() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl(server.url())
                    .user(ROLE)
                    .password(PASSWORD)
                    .property("ApplicationName", "guarded-test")
                    .max(2)
                    .build()) {
                for (int round = 0; round < 2; round++) {
                    try (Connection one = db.getConnection();
                            Connection other = db.getConnection()) {
                        assertThat(Sql.text(one, "select current_user")).isEqualTo(ROLE);
                        assertThat(Sql.text(other, "show application_name")).isEqualTo("guarded-test");
                        assertThat(db.toString() + one + other + db.pool()).doesNotContain(PASSWORD);
                        assertThat(one.getMetaData().getURL()).doesNotContain(PASSWORD);
                    }
                    server.terminateAll(ROLE);
                    server.awaitConnections(ROLE, 0);
                    delay(1_100);
                }
            }
        });
    }

    @Test
    @Tag("F61")
    void wrongPassword_saidAndPutRightLater() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl(server.url())
                    .user(ROLE)
                    .password("later")
                    .max(1)
                    .build()) {
                for (int i = 0; i < 3; i++) {
                    var error = refused(db);
                    assertThat(error.getSQLState()).isEqualTo("28P01");
                    assertThat(error.getMessage()).contains("guarded");
                }
                server.execute("alter role guarded password 'later'");
                try (Connection c = db.getConnection()) {
                    assertThat(c.isValid(30)).isTrue();
                }
            }
        });
    }

    @Test
    void passwordInTheUrl_isMasked() {
        Async.run(() -> {
            String url = server.url() + "?user=" + ROLE + "&password=" + PASSWORD;
            try (var db = PooledDataSource.forUrl(url).max(1).build()) {
                try (Connection c = db.getConnection()) {
                    assertThat(db + " " + db.pool() + " " + c).doesNotContain(PASSWORD);
                }
            }
            String wrong = server.url().replace("/postgres", "/nowhere") + "?user=" + ROLE + "&password=" + PASSWORD;
            try (var db = PooledDataSource.forUrl(wrong).max(1).build()) {
                assertThat(refused(db).getSQLState()).isEqualTo("3D000");
            }
        });
    }

    @Test
    void noServer_saidWithItsAddress() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl("jdbc:postgresql://127.0.0.1:1/postgres")
                    .user(ROLE)
                    .password(PASSWORD)
                    .connectionTimeout(Duration.ofSeconds(5))
                    .build()) {
                assertThat(log(refused(db))).contains("127.0.0.1:1");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:nosuchdatabase://localhost/?password=s3cret-word",
                "postgresql://guarded:s3cret-word@localhost/"
            })
    void urlThatNoDriverKnows_saidAndMasked(String url) {
        Async.run(() -> {
            Throwable error = catchThrowable(() -> {
                try (var db = PooledDataSource.forUrl(url).build()) {
                    db.getConnection().close();
                }
            });
            assertThat(error).isInstanceOfAny(SQLException.class, IllegalArgumentException.class);
            assertThat(log(error)).containsIgnoringCase("driver").doesNotContain(PASSWORD);
        });
    }

    @Test
    @Tag("P30")
    void minAndNoServer_buildSaysSo() {
        Async.run(() -> {
            Throwable error = catchThrowable(() -> PooledDataSource.forUrl("jdbc:postgresql://127.0.0.1:1/postgres")
                    .user(ROLE)
                    .password(PASSWORD)
                    .min(2)
                    .build());
            assertThat(error).isNotNull();
            assertThat(log(error)).contains("127.0.0.1:1").doesNotContain(PASSWORD);
        });
    }

    @Test
    void initSqlThatFails_noConnectionIsLeftBehind() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl(server.url())
                    .user(ROLE)
                    .password(PASSWORD)
                    .max(1)
                    .connectionInitSql("select nonsense")
                    .build()) {
                for (int i = 0; i < 3; i++) assertThat(log(refused(db))).contains("nonsense");
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    @Test
    void aroundADataSource_itsConnectionsArePooled() {
        Async.run(() -> {
            var plain = new PGSimpleDataSource();
            plain.setUrl(server.url());
            plain.setUser(ROLE);
            plain.setPassword(PASSWORD);
            try (var db = PooledDataSource.around(plain).max(1).build()) {
                int pid = Sql.pid(db.shared());
                try (Connection c = db.getConnection()) {
                    assertThat(Sql.pid(c)).isEqualTo(pid);
                }
            }
            server.awaitConnections(ROLE, 0);
        });
    }
}
