package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.spi.ForeignCalls;
import org.trueasync.spi.TimerEvent;

/**
 * A physical connection in the hands of one coroutine. All that is made from it dies with it; each call of the driver's goes through here.
 */
final class Lease {
    private final Sessions sessions;
    final Coroutine<?> owner;

    /** What users see as the connection. */
    private final Connection facade;

    private final @Nullable CoroutineSessions sharedBy;
    private final @Nullable TimerEvent leakWatch;
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

    /** Somebody has the driver's own object: whatever he may do with it. */
    private boolean escaped;

    private final DriverCall call;

    /**
     * One.
     *
     * @param sharedBy whose side of the shared connection it serves; null for a connection of the coroutine's own
     */
    Lease(Sessions sessions, Coroutine<?> owner, Physical physical, @Nullable CoroutineSessions sharedBy) {
        this.sessions = sessions;
        this.owner = owner;
        this.physical = physical;
        this.sharedBy = sharedBy;
        this.autoCommit = sessions.settings.autoCommit();
        this.call = new DriverCall(owner, sessions.settings.validationTimeout());
        physical.lease = this;
        this.facade = sharedBy != null ? sessions.shared() : HandleClass.connection(this, physical.driver);
        this.leakWatch = sessions.watch(owner);
    }

    Connection facade() {
        return facade;
    }

    boolean isOver() {
        return physical == null;
    }

    boolean isBroken() {
        return physical != null && physical.broken;
    }

    Physical physical(Object handle) throws SQLException {
        Physical p = physical;
        if (p == null) throw Failures.over(handle);
        return p;
    }

    // ---- calls of the driver

    /**
     * A call begins.
     *
     * @param handle for the message
     * @param statement what to cancel if its coroutine is cancelled
     */
    void begin(Object handle, @Nullable Statement statement) throws SQLException {
        Connection driver = physical(handle).driver;
        requireOwner();
        call.begin(statement, statement != null && mayBeginTransaction(driver) ? TransactionStart.of(driver) : null);
        called = true;
    }

    /**
     * Something begins to end: it is closed, rolled back, set back. A cancellation that is due is thrown by the next call that does anything else, for libraries
     * swallow what such a call throws, and code that cleans up has to get to its end.
     *
     * @param handle for the message
     * @param statement what to cancel if it waits and its coroutine is cancelled
     * @return true if a cancellation is due
     */
    boolean beginShielded(Object handle, @Nullable Statement statement) throws SQLException {
        physical(handle);
        requireOwner();
        boolean due = call.beginShielded(statement);
        called = true;
        return due;
    }

    private boolean mayBeginTransaction(Connection driver) {
        if (!escaped) return !autoCommit;
        try {
            return !driver.getAutoCommit();
        } catch (SQLException closed) {
            return false;
        }
    }

    /** Its user cancels a statement that may be under way; from any thread. */
    void cancel(Statement statement) throws SQLException {
        if (call.awaitMayCancel()) statement.cancel();
    }

    /** Others may do so for the owner, while he is not in the middle of something. */
    void requireMayClose() throws SQLException {
        if (call.isUnderWay()) requireOwner();
        else sessions.requireCoroutine();
    }

    void requireOwner() throws SQLException {
        Coroutine<?> caller = sessions.caller();
        if (caller != owner) throw Failures.foreign(owner, caller);
    }

    /**
     * It ends.
     *
     * @param thrown how it failed, or null
     * @return what to throw, or null
     */
    @Nullable
    Throwable end(@Nullable Throwable thrown) {
        Physical p = physical;
        try {
            if (!call.end() && p != null) p.broken = true;
            Statement cancelled = call.takeCancelled();
            if (cancelled != null && p != null) p.cancelled(cancelled, thrown);
        } catch (Throwable e) {
            if (p != null) p.broken = true;
            // A shutdown waits for nobody.
            thrown = thrown == null ? e : ErrorDetails.joined(e, thrown);
        }
        if (thrown != null) judge(thrown);
        return ForeignCalls.end(thrown);
    }

    /** A call that reads what the driver has already, failed. */
    SQLException failed(SQLException thrown) {
        judge(thrown);
        return thrown;
    }

    private void judge(Throwable thrown) {
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
    void settle() throws SQLException {
        if (sharedBy != null) sharedBy.settle();
    }

    /** True if nothing is left that needs the connection. */
    boolean isDone() throws SQLException {
        return open.isEmpty() && !escaped && !isInTransaction();
    }

    boolean mayHaveLostTransaction() {
        return autoCommit ? begins != 0 : used;
    }

    /** Idempotent. */
    void giveBack() {
        Physical p = physical;
        if (p == null) return;
        physical = null;
        if (leakWatch != null) leakWatch.dispose();
        sessions.giveBack(this, p);
    }

    @Override
    public String toString() {
        return "connection of coroutine #" + owner.id();
    }
}
