package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A physical connection in the hands of one user. All that is made from it dies with it; each call of the driver's goes through here.
 */
abstract sealed class Lease permits CoroutineLease, ThreadLease {
    final Sessions sessions;
    private @Nullable Physical physical;

    private final OpenHandles open = new OpenHandles();

    private boolean autoCommit;

    /** Something was executed since the last transaction ended. */
    private boolean used;

    /** The driver was asked for anything since then, which may have begun a transaction of its own, as with metadata. */
    private boolean called;

    /** {@link SqlEffects} since the last transaction ended, and of the whole lease. */
    private int begins;

    private int touches;

    /** The driver's own object was given out: anything may be done with it. */
    private boolean escaped;

    Lease(Sessions sessions, Physical physical) {
        this.sessions = sessions;
        this.physical = physical;
        this.autoCommit = sessions.settings.autoCommit();
        physical.lease = this;
    }

    /** What users see as the connection. */
    abstract Connection facade();

    final boolean isOver() {
        return physical == null;
    }

    final boolean isBroken() {
        return physical != null && physical.broken;
    }

    final Physical physical(Object handle) throws SQLException {
        Physical p = physical;
        if (p == null) throw Failures.over(handle);
        return p;
    }

    // ---- calls of the driver

    /**
     * A call begins.
     *
     * @param handle for the message
     * @param statement what to cancel if its user is cancelled
     */
    abstract void begin(Object handle, @Nullable Statement statement) throws SQLException;

    /**
     * Something begins to end: it is closed, rolled back, set back. A cancellation that is due is thrown by the next call that does anything else, for libraries
     * swallow what such a call throws, and code that cleans up has to get to its end.
     *
     * @param handle for the message
     * @param statement what to cancel if it waits and its user is cancelled
     * @return true if a cancellation is due
     */
    abstract boolean beginShielded(Object handle, @Nullable Statement statement) throws SQLException;

    /**
     * It ends.
     *
     * @param thrown how it failed, or null
     * @return what to throw, or null
     */
    abstract @Nullable Throwable end(@Nullable Throwable thrown);

    /** Its user cancels a statement that may be under way; from any thread. */
    abstract void cancel(Statement statement) throws SQLException;

    /** Others may do so for the owner, while that is not in the middle of something. */
    abstract void requireMayClose() throws SQLException;

    abstract void requireOwner() throws SQLException;

    /** What a call has to wait for before it may be cancelled, if anything. */
    final @Nullable TransactionStart startOf(@Nullable Statement statement, Connection driver) {
        return statement != null && mayBeginTransaction(driver) ? TransactionStart.of(driver) : null;
    }

    final void called() {
        called = true;
    }

    private boolean mayBeginTransaction(Connection driver) {
        if (!escaped) return !autoCommit;
        try {
            return !driver.getAutoCommit();
        } catch (SQLException closed) {
            return false;
        }
    }

    /** A call that reads what the driver has already, failed. */
    final SQLException failed(SQLException thrown) {
        judge(thrown);
        return thrown;
    }

    final void judge(Throwable thrown) {
        Physical p = physical;
        if (p == null || p.broken) return;
        if (thrown instanceof SQLException e) p.broken = Failures.isSessionLost(e) || isClosed(p.driver);
        // out of memory or stack in the middle of the protocol, for instance
        else p.broken = !(thrown instanceof RuntimeException) || isClosed(p.driver);
    }

    private static boolean isClosed(Connection driver) {
        try {
            return driver.isClosed();
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    // ---- what was made from it

    void opened(Handle handle) {
        open.add(handle);
    }

    /** It is closed, by its user or with its parent. */
    void closed(Handle handle) {
        handle.closed = true;
        open.remove(handle);
    }

    /** For the end: without regard to what the users think. */
    void closeHandles() throws SQLException {
        for (Handle handle : open.all()) end(handle);
    }

    // ---- transactions

    void used() {
        used = true;
    }

    /** Such a text is about to be executed. */
    void executes(String sql) {
        int effects = SqlEffects.of(sql);
        if ((effects & SqlEffects.ENDS) != 0) begins = 0;
        if ((effects & SqlEffects.MAY_BEGIN) != 0) begins = SqlEffects.MAY_BEGIN;
        touches |= effects & (SqlEffects.MAY_BEGIN | SqlEffects.ENDS | SqlEffects.TOUCHES_SESSION);
    }

    void escapes() {
        escaped = true;
    }

    void autoCommit(boolean on) {
        autoCommit = on;
    }

    boolean isAutoCommit() {
        return autoCommit;
    }

    /** About to be committed, which locators don't survive: afterwards drivers ask the server in vain for what there is to free. */
    void transactionEnds() throws SQLException {
        for (Handle handle : open.locators()) end(handle);
    }

    private void end(Handle handle) throws SQLException {
        closed(handle);
        try {
            handle.closeDelegate();
        } catch (SQLFeatureNotSupportedException | AbstractMethodError unsupported) {
            // then it ends with what it came from
        }
    }

    /** Committed or rolled back. */
    void transactionEnded() {
        used = false;
        called = false;
        begins = 0;
        open.locators().forEach(this::closed);
    }

    boolean isInTransaction() throws SQLException {
        Physical p = physical;
        return p != null && hasTransaction(p.driver);
    }

    /** True if one is open, or may be, as somebody has the driver's own object. */
    boolean mayBeInTransaction() throws SQLException {
        Physical p = physical;
        return isInTransaction() || (p != null && escaped && !autoCommit && !TransactionState.isIdle(p.driver));
    }

    /** Whether one is open on this connection, which is the lease's, or was. */
    boolean hasTransaction(Connection driver) throws SQLException {
        return TransactionState.isOpen(driver, autoCommit ? hasBegun(driver) : used);
    }

    /** As far as texts tell, and after some of them the driver. */
    private boolean hasBegun(Connection driver) throws SQLException {
        return mayHaveBegun() && (begins != 0 || !driver.getAutoCommit());
    }

    private boolean mayHaveBegun() {
        return escaped || (touches & SqlEffects.MAY_BEGIN) != 0;
    }

    boolean touchesSession() {
        return escaped || (touches & SqlEffects.TOUCHES_SESSION) != 0;
    }

    /** False if SQL may have changed settings, be it for the transaction that is open. */
    boolean sessionIsAsItBegan() throws SQLException {
        return !touchesSession() && !(mayHaveBegun() && isInTransaction());
    }

    /** True if the next one may have the connection, which is this one, as it is. */
    boolean leavesNothing(Connection driver) throws SQLException {
        return open.isEmpty()
                && touches == 0
                && !escaped
                && !TransactionState.isOpen(driver, autoCommit ? hasBegun(driver) : used || called);
    }

    // ---- the end

    /** Something was closed. */
    abstract void settle() throws SQLException;

    /** True if nothing is left that needs the connection. */
    final boolean isDone() throws SQLException {
        return open.isEmpty() && !escaped && !isInTransaction();
    }

    final boolean mayHaveLostTransaction() {
        return autoCommit ? begins != 0 : used;
    }

    /** Idempotent. */
    abstract void giveBack();

    /** The connection, which is no longer its own; null if it was given back already. */
    final @Nullable Physical leave() {
        Physical p = physical;
        physical = null;
        return p;
    }

    final @Nullable Physical physicalOrNull() {
        return physical;
    }
}
