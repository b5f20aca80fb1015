package org.trueasync.internal.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A result, of a statement or of metadata. */
abstract class ResultHandle extends Handle implements ResultSet {
    private boolean closed;

    ResultHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    private ResultSet driver() {
        return (ResultSet) delegate;
    }

    @Override
    public void close() throws SQLException {
        if (closed) return;
        closed = true;
        if (lease.isOver()) return;
        lease.begin("this result", cancellable());
        try {
            driver().close();
            if (parent instanceof StatementHandle statement) statement.resultClosed();
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

    @Override
    public boolean isClosed() throws SQLException {
        return closed || lease.isOver() || driver().isClosed();
    }

    @Override
    public @Nullable Statement getStatement() throws SQLException {
        target();
        return parent instanceof Statement statement ? statement : null;
    }
}
