package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a statement that begins a transaction from being cancelled by its user too early, see {@link TransactionStart}.
 * Any thread.
 */
final class CancelGate {
    /** The transaction that the statement under way begins. */
    private volatile @Nullable TransactionStart start;

    void set(@Nullable TransactionStart next) {
        start = next;
    }

    @Nullable
    TransactionStart start() {
        return start;
    }

    /**
     * Waits until the statement may be cancelled.
     *
     * @param timeout for how long
     * @return false if its execution has ended meanwhile; another statement may be running
     * @throws SQLException if the time has passed, or the thread is interrupted
     */
    boolean awaitOpen(Duration timeout) throws SQLException {
        TransactionStart current = start;
        if (current == null) return true;
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (start == current && !current.isConfirmed()) {
            if (System.nanoTime() - deadlineNanos >= 0) throw Failures.mustNotBeCancelled(timeout);
            try {
                Thread.sleep(TransactionStart.PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted before the statement could be cancelled", e);
            }
        }
        return start == current;
    }
}
