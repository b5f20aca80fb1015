package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Makes a session of PostgreSQL as new after each use. What a function, a trigger or a view has changed, no text of a
 * statement shows. Prepared statements and their plans stay, so this costs one round trip.
 */
final class QuickReset {
    /** What {@code DISCARD ALL} does, without {@code DEALLOCATE ALL} and {@code DISCARD PLANS}. */
    private static final String SQL =
            "SET SESSION AUTHORIZATION DEFAULT; RESET ALL; CLOSE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all();"
                    + " DISCARD SEQUENCES; DISCARD TEMP";

    private final PreparedStatement statement;

    /**
     * Prepares the reset.
     *
     * @param clientInfo what the connection began with; its driver may set the application name after connecting, which
     *     the reset would remove
     */
    QuickReset(Connection driver, @Nullable Object clientInfo) throws SQLException {
        String name = clientInfo instanceof Properties some ? some.getProperty("ApplicationName") : null;
        String sql = name == null ? SQL : SQL + "; SET application_name TO '" + name.replace("'", "''") + "'";
        this.statement = driver.prepareStatement(sql);
    }

    /** Resets the session. In auto-commit mode. */
    void run() throws SQLException {
        statement.execute();
    }
}
