package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Makes physical connections. */
public interface Connector {
    /** A new connection; called in a coroutine, may wait. */
    Connection connect() throws SQLException;

    /** Where to, for messages: without secrets. */
    String target();
}
