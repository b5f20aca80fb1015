package org.trueasync.internal.jdbc;

import java.sql.Connection;

/** Notifications that the driver keeps for a session that has listened; the next user must not get them. */
final class Notifications {
    /** The method of PostgreSQL's driver, which removes what it returns. */
    private static final DriverMethod HEARD = new DriverMethod("getNotifications");

    private Notifications() {}

    /**
     * Drops the notifications that the driver still keeps.
     *
     * @param connection the driver's; its session does not listen any more
     */
    static void forget(Connection connection) {
        var _ = HEARD.resultOn(connection);
    }
}
