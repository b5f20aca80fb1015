package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement. */
abstract class StatementHandle extends Handle implements Statement {
    private boolean closed;

    StatementHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    final Statement driver() {
        return (Statement) delegate;
    }

    @Override
    Object enter() throws SQLException {
        if (closed) throw Failures.over("this statement");
        lease.begin("this statement", driver());
        lease.used();
        return delegate;
    }

    @Override
    Object target() throws SQLException {
        if (closed) throw Failures.over("this statement");
        return super.target();
    }

    @Override
    final Statement cancellable() {
        return driver();
    }

    @Override
    public void close() throws SQLException {
        if (closed) return;
        closed = true;
        if (lease.isOver()) return;
        lease.begin("this statement", null);
        try {
            closeDelegate();
        } catch (Throwable e) {
            lease.closed(this);
            throw Failures.sneaky(leave(e));
        }
        lease.closed(this);
        leave();
        lease.settle();
    }

    @Override
    void closeDelegate() throws SQLException {
        closed = true;
        driver().close();
    }

    /** One of its results was closed, and the statement with it if the user wanted that. */
    final void resultClosed() throws SQLException {
        if (closed || lease.isOver() || !driver().isClosed()) return;
        closed = true;
        lease.closed(this);
    }

    @Override
    public boolean isClosed() throws SQLException {
        return closed || lease.isOver() || driver().isClosed();
    }

    /** From any coroutine or thread. */
    @Override
    public void cancel() throws SQLException {
        if (!closed && !lease.isOver()) driver().cancel();
    }

    @Override
    public Connection getConnection() throws SQLException {
        target();
        return lease.facade();
    }
}
