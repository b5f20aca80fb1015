package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement. Each of its calls that may wait counts as an execution, which may begin a transaction. */
abstract class StatementHandle extends Handle implements Statement {
    StatementHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    final Statement driver() {
        return (Statement) delegate;
    }

    @Override
    Object enter() throws SQLException {
        Object driver = super.enter();
        lease.noteExecution();
        return driver;
    }

    @Override
    String what() {
        return "this statement";
    }

    @Override
    final Statement cancellable() {
        return driver();
    }

    @Override
    public void close() throws SQLException {
        closeByUser(null);
    }

    @Override
    void closeDelegate() throws SQLException {
        driver().close();
    }

    /**
     * Called when one of its results was closed, which may have closed the statement too, by
     * {@link #closeOnCompletion}.
     */
    final void resultClosed() throws SQLException {
        if (closed || lease.isOver() || !driver().isClosed()) return;
        lease.closed(this);
    }

    @Override
    public boolean isClosed() throws SQLException {
        return closed || lease.isOver() || driver().isClosed();
    }

    /**
     * Cancels the statement. From any coroutine or thread. If the statement begins a transaction, waits first until the
     * server has confirmed that.
     */
    @Override
    public void cancel() throws SQLException {
        if (!closed && !lease.isOver()) lease.cancel(driver());
    }

    @Override
    public Connection getConnection() throws SQLException {
        target();
        return lease.facade();
    }
}
