package org.trueasync.internal.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement: a close puts it into its connection's cache, and it is executed again if the server has lost
 * its plan.
 */
abstract class PreparedHandle extends StatementHandle implements PreparedStatement {
    private @Nullable StatementCache cache;
    private StatementCache.@Nullable Key key;
    private boolean changed;
    private boolean streamed;
    private @Nullable String sql;
    /** The {@link SqlEffects} of its text. */
    private int effects;

    PreparedHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    /** Sets the cache that gets it when it is closed. */
    final void cachedIn(StatementCache home, StatementCache.Key preparedFrom) {
        cache = home;
        key = preparedFrom;
    }

    /** Sets the text, and the effects of each execution. */
    final void preparedFrom(@Nullable String text, int ofText) {
        sql = text;
        effects = ofText;
    }

    @Override
    final void noteBatch() {
        lease.executes(sql);
        lease.noteExecuted(effects);
    }

    private PreparedStatement prepared() {
        return (PreparedStatement) delegate;
    }

    @Override
    void noteChange() {
        changed = true;
    }

    @Override
    void noteStream() {
        streamed = true;
        changed = true;
    }

    @Override
    void closeDelegate() throws SQLException {
        if (cache == null
                || key == null
                || changed
                || lease.isBroken()
                || prepared().isClosed()) {
            super.closeDelegate();
            return;
        }
        StatementCache home = cache;
        cache = null;
        try {
            ResultSet result = prepared().getResultSet();
            if (result != null) result.close();
            prepared().clearParameters();
            prepared().clearBatch();
            prepared().clearWarnings();
        } catch (SQLException e) {
            if (Failures.isSessionLost(e)) throw e;
            // Some drivers can't clear a statement that was never executed; it is not cached then.
            super.closeDelegate();
            return;
        }
        home.give(key, prepared());
    }

    // ---- executing

    private interface Execution {
        @Nullable
        Object run() throws SQLException;
    }

    /**
     * Executes the statement. A table may have changed since the statement was prepared. Then it is executed once more,
     * unless a transaction is open, which has failed by that, or an argument is a stream, which can be read only once.
     */
    private @Nullable Object execute(Execution execution) throws SQLException {
        enter();
        Object value;
        try {
            lease.executes(sql);
            lease.noteExecuted(effects);
            try {
                value = execution.run();
            } catch (SQLException e) {
                if (!mayRepeat(e)) throw e;
                value = execution.run();
            }
            value = wrap(value);
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
        leave();
        return value;
    }

    private boolean mayRepeat(SQLException error) throws SQLException {
        return Failures.isPlanLost(error) && !streamed && !lease.isInTransaction();
    }

    @Override
    public boolean execute() throws SQLException {
        return (Boolean) java.util.Objects.requireNonNull(execute(prepared()::execute));
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        return (ResultSet) java.util.Objects.requireNonNull(execute(prepared()::executeQuery));
    }

    @Override
    public int executeUpdate() throws SQLException {
        return (Integer) java.util.Objects.requireNonNull(execute(prepared()::executeUpdate));
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return (Long) java.util.Objects.requireNonNull(execute(prepared()::executeLargeUpdate));
    }
}
