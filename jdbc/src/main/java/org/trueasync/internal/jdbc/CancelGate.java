package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a statement from being cancelled by its user too early, see {@link TransactionStart} and {@link ResetAhead}.
 * Any thread.
 */
final class CancelGate {
    /** What the server does before a statement, and what must not be cancelled. */
    interface Start {
        /** True as soon as it is over. Asked again after each {@link TransactionStart#PAUSE}. */
        boolean isConfirmed();
    }

    /** Of the statement under way. */
    private volatile @Nullable Start start;

    void set(@Nullable Start next) {
        start = next;
    }

    @Nullable
    Start start() {
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
        Start current = start;
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
