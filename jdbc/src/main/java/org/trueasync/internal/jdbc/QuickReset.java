package org.trueasync.internal.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Makes a session of PostgreSQL as new after each use. What a function, a trigger or a view has changed, no text of a
 * statement shows. Prepared statements and their plans stay. The reset goes to the server with what the next user
 * sends, so it costs no round trip; see {@link ResetWire}.
 */
final class QuickReset {
    /** What {@code DISCARD ALL} does, without {@code DEALLOCATE ALL} and {@code DISCARD PLANS}. */
    private static final List<String> SQL = List.of(
            "SET SESSION AUTHORIZATION DEFAULT",
            "RESET ALL",
            "CLOSE ALL",
            "UNLISTEN *",
            "SELECT pg_advisory_unlock_all()",
            "DISCARD SEQUENCES",
            "DISCARD TEMP");

    /** The same as one text, for which the driver waits. */
    private final PreparedStatement statement;

    private final @Nullable ResetWire wire;

    /**
     * Prepares the reset.
     *
     * @param clientInfo what the connection began with; its driver may set the application name after connecting, which
     *     the reset would remove
     */
    QuickReset(Connection driver, @Nullable Object clientInfo) throws SQLException {
        var all = new ArrayList<>(SQL);
        String name = clientInfo instanceof Properties some ? some.getProperty("ApplicationName") : null;
        if (name != null) all.add("SET application_name TO '" + name.replace("'", "''") + "'");
        this.statement = driver.prepareStatement(String.join("; ", all));
        this.wire = PostgresSocket.wire(driver, new ResetMessages(all));
    }

    /** Called when the session has lost its prepared statements. */
    void forgetPrepared() {
        if (wire != null) wire.forgetPrepared();
    }

    /**
     * Resets the session before anything else that the driver sends. Does not wait. No transaction is open.
     *
     * @return false if that can't be done now
     */
    boolean isMadeDue() throws SQLException {
        try {
            return wire != null && wire.isPrepared() && wire.require();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /**
     * Resets the session; may wait. In auto-commit mode.
     *
     * @param driverHasToKnow true if the driver keeps something that the reset changes
     */
    void run(boolean driverHasToKnow) throws SQLException {
        if (!driverHasToKnow && isMadeDue()) return;
        if (driverHasToKnow || wire == null || wire.isPrepared()) {
            statement.execute();
            return;
        }
        try {
            wire.prepareAndRun();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** True if it has still to be sent. */
    boolean isDue() {
        return wire != null && wire.isDue();
    }

    /** True if the server may be busy with it, or is still to get it. */
    boolean isAhead() {
        return wire != null && wire.isAhead();
    }

    /** Sends it if it is due. Does not wait for the answer. */
    void flush() throws SQLException {
        try {
            if (wire != null) wire.flush();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** Throws if the server has said meanwhile that the reset has failed. Does not wait. */
    void requireNotFailed() throws SQLException {
        try {
            if (wire != null) wire.look();
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private static SQLException lost(IOException cause) {
        return new SQLException(cause.getMessage(), "08006", cause);
    }
}
