package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** What the shared connection says of its database. */
abstract class SharedMetaData extends SharedHandle implements DatabaseMetaData {
    SharedMetaData(Sessions sessions) {
        super(sessions);
    }

    @Override
    Object enter() throws SQLException {
        return sessions.here().connection().getMetaData();
    }

    @Override
    public Connection getConnection() {
        return sessions.shared();
    }
}
