package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The begin of a transaction by a running statement; until it is confirmed the statement must not be cancelled.
 *
 * <p>PostgreSQL's driver sends BEGIN and the transaction's first statement together, as two requests. The server
 * cancels what it executes just then: if that is BEGIN, the statement is executed all the same, outside of any
 * transaction, and its effect is committed.
 */
final class TransactionStart implements CancelGate.Start {
    /** The pause between two checks for the confirmation. */
    static final Duration PAUSE = Duration.ofMillis(2);

    private final Connection driver;

    private TransactionStart(Connection driver) {
        this.driver = driver;
    }

    /**
     * Tells whether a statement that is about to be executed begins a transaction.
     *
     * @param driver its connection, without auto-commit
     * @return null if a transaction is open already, or if the driver does not say
     */
    static @Nullable TransactionStart of(Connection driver) {
        return TransactionState.isIdle(driver) ? new TransactionStart(driver) : null;
    }

    /**
     * True as soon as the server has answered BEGIN. Some versions of the driver return only when the statement has
     * ended.
     */
    @Override
    public boolean isConfirmed() {
        return !TransactionState.isIdle(driver);
    }
}
