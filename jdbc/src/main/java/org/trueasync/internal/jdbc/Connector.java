package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Makes physical connections. */
public interface Connector {
    /** Opens a new connection. May wait. In a coroutine, or on a helper thread. */
    Connection connect() throws SQLException;

    /** Returns where it connects to, for messages: without secrets. */
    String target();
}
