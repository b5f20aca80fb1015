package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.jdbc.PostgresServer.Stop;

/** That the server of the tests does what they rely on. */
class PostgresServerTest {
    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    private static Connection connect(String role, String password) throws SQLException {
        return DriverManager.getConnection(server.url(), role, password);
    }

    @ParameterizedTest
    @EnumSource
    void restarted_committedDataAndPortAreTheSame(Stop how) throws SQLException {
        server.role("fixture", -1);
        int port = server.port();
        try (Connection c = connect("fixture", "")) {
            Sql.execute(c, "create table t(n int)");
            for (int i = 0; i < 20; i++) Sql.execute(c, "insert into t values (" + i + ")");
            server.stop(how);
            assertThatThrownBy(() -> Sql.execute(c, "select 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connect("fixture", "")).isInstanceOf(SQLException.class);
        }
        server.start();
        assertThat(server.port()).isEqualTo(port);
        try (Connection c = connect("fixture", "")) {
            assertThat(Sql.number(c, "select count(*) from t")).isEqualTo(20);
        }
    }

    @Test
    void connections_countedLimitedAndTerminated() throws SQLException {
        server.role("fixture", 2);
        try (Connection one = connect("fixture", "");
                Connection other = connect("fixture", "")) {
            assertThat(server.connections("fixture")).isEqualTo(2);
            assertThatThrownBy(() -> connect("fixture", ""))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53300"));
            assertThat(server.inTransaction("fixture")).isZero();
            other.setAutoCommit(false);
            Sql.execute(other, "select 1");
            assertThat(server.inTransaction("fixture")).isEqualTo(1);
            assertThat(server.terminateAll("fixture")).isEqualTo(2);
            server.awaitConnections("fixture", 0);
            assertThatThrownBy(() -> Sql.execute(one, "select 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void password_isAskedForWhereItIsWanted() throws SQLException {
        server.roleWithPassword("fixture", "right");
        connect("fixture", "right").close();
        assertThatThrownBy(() -> connect("fixture", "wrong"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }
}
