package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Makes connections of a driver that blocks its thread: helper threads make its calls.
 *
 * @param driver makes the driver's connections
 */
public record HelperConnector(Connector driver) implements Connector {
    @Override
    public Connection connect() throws SQLException {
        return HelperCalls.open(driver);
    }

    @Override
    public String target() {
        return driver.target();
    }

    /**
     * True if the driver is known to wait in native code.
     *
     * @param source its URL, or the name of its data source's class
     */
    public static boolean isNeededFor(String source) {
        return source.startsWith("jdbc:sqlite:")
                || source.startsWith("jdbc:duckdb:")
                || source.startsWith("org.sqlite.")
                || source.startsWith("org.duckdb.");
    }
}
