package org.trueasync.internal.jdbc;

import java.sql.Connection;

/**
 * Tells whether a transaction is open according to the driver, which learns it from the server if the protocol says so.
 */
final class TransactionState {
    /** The method of PostgreSQL's driver: IDLE, OPEN or FAILED, from the server's last answer. */
    private static final DriverMethod STATE = new DriverMethod("getTransactionState");

    private TransactionState() {}

    /**
     * True if one is open.
     *
     * @param connection the driver's
     * @param fallback the answer for drivers that don't know, as the texts of statements tell it
     */
    static boolean isOpen(Connection connection, boolean fallback) {
        Object state = STATE.resultOn(connection);
        return state == null ? fallback : !isIdle(state);
    }

    /** True if the driver says that none is open. */
    static boolean isIdle(Connection connection) {
        Object state = STATE.resultOn(connection);
        return state != null && isIdle(state);
    }

    private static boolean isIdle(Object state) {
        return "IDLE".equals(state.toString());
    }
}
