package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;

/** Finding a driver, and what is said of the URL. */
@Tag("P30")
class ConnectingTest {
    private interface Acceptance {
        boolean accepts(String url) throws SQLException;
    }

    /** Takes URLs of its own kind, if it feels like it. */
    private static class OddUrls implements Driver {
        private final Acceptance acceptance;
        private final OddDriver database = new OddDriver();
        private final boolean connects;

        OddUrls(boolean connects, Acceptance acceptance) {
            this.connects = connects;
            this.acceptance = acceptance;
        }

        @Override
        @SuppressWarnings("NullAway") // as JDBC has it: not for this driver
        public Connection connect(String url, Properties info) throws SQLException {
            return connects ? database.getConnection() : null;
        }

        @Override
        public boolean acceptsURL(String url) throws SQLException {
            return acceptance.accepts(url);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    private final Driver angry = new OddUrls(false, url -> {
        if (url.startsWith("jdbc:odd:")) throw new SQLException("none of mine");
        return false;
    });
    private final Driver idle = new OddUrls(false, url -> url.startsWith("jdbc:odd:"));
    private final Driver working = new OddUrls(true, url -> url.startsWith("jdbc:odd:"));

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(angry);
        DriverManager.registerDriver(idle);
        DriverManager.registerDriver(working);
    }

    @AfterEach
    void deregister() throws SQLException {
        DriverManager.deregisterDriver(angry);
        DriverManager.deregisterDriver(idle);
        DriverManager.deregisterDriver(working);
    }

    @Test
    void driversThatFailOrGiveNothing_theNextOneConnects() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl("jdbc:odd:x").build();
                    var c = db.getConnection()) {
                assertThat(c.isClosed()).isFalse();
            }
        });
    }

    @Test
    void driverQuotesTheUrl_itsSecretsAreMasked() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl("jdbc:h2:mem:x;PASSWORD=hidden;BROKEN")
                    .user("u")
                    .build()) {
                SQLException error = catchThrowableOfType(SQLException.class, db::getConnection);
                var text = new StringWriter();
                error.printStackTrace(new PrintWriter(text));
                assertThat(text.toString()).contains("jdbc:h2:mem:x").doesNotContain("hidden");
                assertThat(error.getSQLState()).isEqualTo("90046");
            }
        });
    }

    @Test
    void causeQuotesTheUrl_itsSecretsAreMasked() throws SQLException {
        Driver quoting = new OddUrls(false, url -> url.startsWith("jdbc:quoting:")) {
            @Override
            public Connection connect(String url, Properties info) throws SQLException {
                throw new SQLException("no way", "08001", 7, new IllegalStateException("to " + url));
            }
        };
        DriverManager.registerDriver(quoting);
        try {
            Async.run(() -> {
                try (var db = PooledDataSource.forUrl("jdbc:quoting:x?password=hidden")
                        .build()) {
                    SQLException error = catchThrowableOfType(SQLException.class, db::getConnection);
                    var text = new StringWriter();
                    error.printStackTrace(new PrintWriter(text));
                    assertThat(text.toString()).contains("no way").doesNotContain("hidden");
                    assertThat(error.getSQLState()).isEqualTo("08001");
                    assertThat(error.getErrorCode()).isEqualTo(7);
                }
            });
        } finally {
            DriverManager.deregisterDriver(quoting);
        }
    }

    @Test
    void settingsThatNobodyReads_refused() {
        var odd = new OddDriver();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PooledDataSource.around(odd).property("ssl", "true"))
                .withMessageContaining("ssl");
        Async.run(() -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            PooledDataSource.around(odd).password("hidden").build())
                    .withMessageContaining("user");
            PooledDataSource.around(odd).user("u").password("hidden").build().close();
        });
    }

    @Test
    void noDriver_saidWithoutSecrets() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl("jdbc:nothing://u:hidden@h/d").build()) {
                assertThatThrownBy(db::getConnection)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("jdbc:nothing://u:***@h/d");
                assertThat(db.toString()).doesNotContain("hidden");
            }
        });
    }
}
