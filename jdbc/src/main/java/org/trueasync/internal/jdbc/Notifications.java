package org.trueasync.internal.jdbc;

import java.sql.Connection;

/** What the driver has heard for a session that listened, and keeps until somebody asks: the next user has not listened for it. */
final class Notifications {
    /** PostgreSQL's driver; it takes what it hands out from its list. */
    private static final DriverMethod HEARD = new DriverMethod("getNotifications");

    private Notifications() {}

    /**
     * Forgets them.
     *
     * @param connection the driver's, which listens no more
     */
    static void forget(Connection connection) {
        var _ = HEARD.resultOn(connection);
    }
}
