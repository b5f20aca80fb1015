package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes connections from another data source.
 *
 * @param source makes them
 * @param user null for the source's own
 * @param password null for the source's own
 */
public record SourceConnector(
        DataSource source, @Nullable String user, @Nullable String password) implements Connector {
    @Override
    public Connection connect() throws SQLException {
        Connection connection = user == null ? source.getConnection() : source.getConnection(user, password);
        if (connection == null) throw new SQLException(target() + " returned null in place of a connection", "08001");
        return connection;
    }

    @Override
    public String target() {
        return source.getClass().getName();
    }

    @Override
    public String toString() {
        return target();
    }
}
