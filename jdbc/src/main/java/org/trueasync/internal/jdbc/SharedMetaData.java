package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** The metadata of the shared connection's database. */
abstract class SharedMetaData extends SharedHandle implements DatabaseMetaData {
    SharedMetaData(Sessions sessions) {
        super(sessions);
    }

    @Override
    Object enter() throws SQLException {
        Connection own = sessions.ofCaller().connection();
        try {
            return own.getMetaData();
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
    }

    @Override
    public Connection getConnection() {
        return sessions.shared();
    }
}
