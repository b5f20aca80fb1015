package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The time for which one user has a physical connection. At its end all handles made from it are dead. Each call of the
 * driver that may wait is between {@link #begin} or {@link #beginShielded} and {@link #end}.
 */
abstract sealed class Lease permits CoroutineLease, ThreadLease {
    final Sessions sessions;
    private @Nullable Physical physical;

    private final OpenHandles open = new OpenHandles();

    private boolean autoCommit;

    /** True if something was executed since the last transaction ended. */
    private boolean executed;

    /** True if something was executed in this lease. */
    private boolean everExecuted;

    /** True if the driver was called since the last transaction ended: even calls for metadata may have begun one. */
    private boolean called;

    /** True if a text executed since the last transaction ended may have begun one. */
    private boolean mayHaveBegun;

    /** The {@link SqlEffects} of all texts executed or prepared in this lease. */
    private int effects;

    /** True if a driver's object was given out: anything may be done with it. */
    private boolean escaped;

    Lease(Sessions sessions, Physical physical) {
        this.sessions = sessions;
        this.physical = physical;
        this.autoCommit = sessions.settings.autoCommit();
        physical.lease = this;
    }

    /** Returns what users see as the connection. */
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
     * Begins a call.
     *
     * @param handle for the message
     * @param statement what to cancel if its user is cancelled
     */
    abstract void begin(Object handle, @Nullable Statement statement) throws SQLException;

    /**
     * Begins a call that cleans up or asks: it closes, rolls back, restores or reads something. It does not throw a
     * pending cancellation, but the next other call does. Libraries swallow what such a call throws, and code that
     * cleans up has to reach its end.
     *
     * @param handle for the message
     * @param statement what to cancel if the call waits and its user is cancelled
     * @return true if a cancellation is pending
     */
    abstract boolean beginShielded(Object handle, @Nullable Statement statement) throws SQLException;

    /**
     * Ends the call.
     *
     * @param thrown how it failed, or null
     * @return what to throw, or null
     */
    abstract @Nullable Throwable end(@Nullable Throwable thrown);

    /** Cancels a statement that may be running, for its user. Any thread. */
    abstract void cancel(Statement statement) throws SQLException;

    /**
     * Throws unless the caller may close the connection. During a call of a coroutine's lease that is the owner alone;
     * between calls it is any coroutine of the owner's runtime. The lease of a thread refuses no caller.
     */
    abstract void requireMayClose() throws SQLException;

    abstract void requireOwner() throws SQLException;

    /** Returns what has to be confirmed before the call may be cancelled; null if nothing. */
    final CancelGate.@Nullable Start startOf(@Nullable Statement statement, Physical of) {
        if (statement == null) return null;
        TransactionStart transaction = mayBeginTransaction(of.driver) ? TransactionStart.of(of.driver) : null;
        if (transaction != null) return transaction;
        return of.isResetAhead() ? new ResetAhead(of) : null;
    }

    final void noteCall() {
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

    /** Notes the error of a call that does not wait, and returns it. */
    final SQLException failed(SQLException thrown) {
        markIfBroken(thrown);
        return thrown;
    }

    final void markIfBroken(Throwable thrown) {
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

    // ---- handles

    void opened(Handle handle) {
        open.add(handle);
    }

    /** Notes that a handle is closed, by its user or with its parent. */
    void closed(Handle handle) {
        handle.closed = true;
        open.remove(handle);
    }

    /** Closes what users have left open, at the end of the lease. */
    void closeHandles() throws SQLException {
        for (Handle handle : open.all()) end(handle);
    }

    // ---- transactions

    /** Notes what the call that is under way executes; null if it is not known. */
    void executes(@Nullable String sql) {}

    void noteExecution() {
        executed = true;
        everExecuted = true;
    }

    /** Notes the {@link SqlEffects} of text that is about to be executed. */
    void noteExecuted(int added) {
        if ((added & SqlEffects.ENDS) != 0) mayHaveBegun = false;
        if ((added & SqlEffects.MAY_BEGIN) != 0) mayHaveBegun = true;
        notePrepared(added);
    }

    /** Notes the effects of text that is prepared or put into a batch: it may be executed later, often, or never. */
    void notePrepared(int added) {
        effects |= added & (SqlEffects.MAY_BEGIN | SqlEffects.ENDS | SqlEffects.TOUCHES_SESSION);
    }

    void noteEscape() {
        escaped = true;
    }

    void autoCommit(boolean on) {
        autoCommit = on;
    }

    boolean isAutoCommit() {
        return autoCommit;
    }

    /**
     * Frees the locators before a commit. They don't survive it, and after it the driver could not free them on the
     * server any more.
     */
    void freeLocators() throws SQLException {
        for (Handle handle : open.locators()) end(handle);
    }

    private void end(Handle handle) throws SQLException {
        closed(handle);
        try {
            handle.closeDelegate();
        } catch (SQLFeatureNotSupportedException | AbstractMethodError unsupported) {
            // then it ends with its parent
        }
    }

    /** Forgets the transaction, after a commit or a rollback. */
    void transactionEnded() {
        executed = false;
        called = false;
        mayHaveBegun = false;
        open.locators().forEach(this::closed);
    }

    boolean isInTransaction() throws SQLException {
        Physical p = physical;
        return p != null && hasTransaction(p.driver);
    }

    /** True if a transaction is open, or may be, because a driver's object was given out. */
    boolean mayBeInTransaction() throws SQLException {
        Physical p = physical;
        return isInTransaction() || (p != null && escaped && !autoCommit && !TransactionState.isIdle(p.driver));
    }

    /** True if a transaction is open on this connection. It is the lease's, also once the lease is over. */
    boolean hasTransaction(Connection driver) throws SQLException {
        return TransactionState.isOpen(driver, autoCommit ? hasBegun(driver) : executed);
    }

    /**
     * True if a transaction was begun although the lease has auto-commit on; asks the driver only if texts or users may
     * have begun one.
     */
    private boolean hasBegun(Connection driver) throws SQLException {
        return mayEverHaveBegun() && (mayHaveBegun || !driver.getAutoCommit());
    }

    private boolean mayEverHaveBegun() {
        return escaped || (effects & SqlEffects.MAY_BEGIN) != 0;
    }

    boolean hasExecuted() {
        return everExecuted;
    }

    boolean mayHaveChangedSession() {
        return escaped || (effects & SqlEffects.TOUCHES_SESSION) != 0;
    }

    /** False if SQL may have changed settings, even if only for the open transaction. */
    boolean sessionIsAsItBegan() throws SQLException {
        return !mayHaveChangedSession() && !(mayEverHaveBegun() && isInTransaction());
    }

    /** True if the next user may have the connection as it is. */
    boolean needsNoCleaning(Connection driver) throws SQLException {
        return open.isEmpty()
                && effects == 0
                && !escaped
                && !TransactionState.isOpen(driver, autoCommit ? hasBegun(driver) : executed || called);
    }

    // ---- the end

    /** Called after a handle was closed: gives a shared connection back if nothing needs it. */
    abstract void giveBackIfDone() throws SQLException;

    /** True if nothing needs the connection any more. */
    final boolean isDone() throws SQLException {
        return open.isEmpty() && !escaped && !isInTransaction();
    }

    final boolean mayHaveLostTransaction() {
        return autoCommit ? mayHaveBegun : executed;
    }

    /** Gives the connection back. Idempotent. */
    abstract void giveBack();

    /** Ends the lease and returns its connection; null if it was over already. */
    final @Nullable Physical detach() {
        Physical p = physical;
        physical = null;
        return p;
    }

    final @Nullable Physical physicalOrNull() {
        return physical;
    }
}
