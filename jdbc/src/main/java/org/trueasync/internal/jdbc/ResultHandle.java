package org.trueasync.internal.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A result: of a statement, of metadata or of an array. */
abstract class ResultHandle extends Handle implements ResultSet {
    ResultHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    private ResultSet driver() {
        return (ResultSet) delegate;
    }

    @Override
    String what() {
        return "this result";
    }

    @Override
    public void close() throws SQLException {
        closeByUser(cancellable());
    }

    @Override
    void closeDelegate() throws SQLException {
        driver().close();
        if (parent instanceof StatementHandle statement) statement.resultClosed();
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
