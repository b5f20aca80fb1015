package org.trueasync.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Short ways to ask a connection. */
final class Sql {
    private Sql() {}

    /**
     * The first connection of a pool with a short limit. On a busy machine it can take longer than that to make one.
     */
    static Connection first(PooledDataSource pool) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return pool.getConnection();
            } catch (SQLException tooSlow) {
                if (attempt == 100) throw tooSlow;
            }
        }
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (String one : statements) statement.execute(one);
        }
    }

    static int number(Connection connection, String query) throws SQLException {
        String text = text(connection, query);
        if (text == null) throw new AssertionError("null: " + query);
        return Integer.parseInt(text);
    }

    /** The first column of the first row. */
    static @Nullable String text(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            if (!row.next()) throw new AssertionError("no row: " + query);
            return row.getString(1);
        }
    }

    /** Which session of PostgreSQL it is. */
    static int pid(Connection connection) throws SQLException {
        return number(connection, "select pg_backend_pid()");
    }
}
