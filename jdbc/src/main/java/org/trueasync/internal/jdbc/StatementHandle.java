package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement. Each of its calls that may wait counts as an execution, which may begin a transaction. */
abstract class StatementHandle extends Handle implements Statement {
    /** The {@link SqlEffects} of the texts in the batch. */
    private int batch;

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

    /** Called before a text is executed. */
    final void noteSql(String sql) {
        lease.executes(sql);
        lease.noteExecuted(SqlEffects.of(sql));
    }

    /** Called before a text is added to the batch. */
    final void noteBatched(String sql) {
        int added = SqlEffects.of(sql);
        batch = SqlEffects.joined(batch, added);
        lease.notePrepared(added);
    }

    /** Called before the batch is executed, after which it is empty. */
    void noteBatch() {
        lease.noteExecuted(batch);
        batch = SqlEffects.NONE;
    }

    /** Called before the batch is emptied. */
    final void noteNoBatch() {
        batch = SqlEffects.NONE;
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
