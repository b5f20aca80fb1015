package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One connection of the driver, which the pool keeps and lends to one lease at a time. */
final class Physical {
    private static final System.Logger LOG = System.getLogger("org.trueasync.jdbc");

    private static final String POSTGRES = "PostgreSQL";

    final Connection driver;
    final StatementCache statements;
    final SessionChanges changes;
    private final Settings settings;
    private final @Nullable String resetSql;

    /** True if the session is reset after each use in which something was executed. */
    private final boolean resetsAfterUse;

    /** How to do that without losing prepared statements; null if only {@link #resetSql} can. */
    private final @Nullable QuickReset quickReset;

    /** The settings that the server reported when the session was prepared; null before, and if it reports none. */
    private @Nullable ReportedSettings reported;

    /** True if the server forgets a request to cancel that finds nothing to be cancelled. */
    private final boolean forgetsCancels;

    /** The client info after connecting: the driver may have set some, which the reset removes. */
    private final @Nullable Object clientInfo;

    /** When it is too old, in nanoseconds of the runtime's clock. */
    private final long expiresNanos;

    /** When it was last given back, or opened; nanoseconds of the runtime's clock. */
    long lastUsedNanos;

    /** When it was last checked, given back or opened; nanoseconds of the runtime's clock. */
    long lastCheckedNanos;

    /** True if it is lost, or in an unknown state: it is never used again. */
    boolean broken;

    /** The lease that has it, or whose traces have not been cleaned; else null. */
    @Nullable
    Lease lease;

    /** True while {@link LateResets} has it. */
    boolean awaitsFlush;

    private Physical(Connection driver, Settings settings, long now) throws SQLException {
        this.driver = driver;
        this.settings = settings;
        this.changes = new SessionChanges(settings.autoCommit());
        this.statements = new StatementCache(settings.statementCache());
        boolean postgres = POSTGRES.equals(driver.getMetaData().getDatabaseProductName());
        this.resetSql = settings.resetSql() != null ? settings.resetSql() : postgres ? "DISCARD ALL" : null;
        this.forgetsCancels = postgres;
        this.clientInfo = resetSql == null ? null : clientInfo(driver);
        this.resetsAfterUse = settings.resetAfterUse() != null ? settings.resetAfterUse() : postgres;
        this.quickReset = postgres && settings.resetSql() == null ? new QuickReset(driver, clientInfo) : null;
        long lifetimeNanos = settings.maxLifetime().toNanos();
        // random, so that connections made at the same time don't expire at the same time
        this.expiresNanos = lifetimeNanos == 0
                ? Long.MAX_VALUE
                : now + lifetimeNanos - ThreadLocalRandom.current().nextLong(lifetimeNanos / 40 + 1);
        this.lastUsedNanos = now;
        this.lastCheckedNanos = now;
    }

    private static @Nullable Object clientInfo(Connection driver) {
        try {
            return SessionSetting.CLIENT_INFO.get(driver);
        } catch (SQLException | AbstractMethodError unsupported) {
            return null;
        }
    }

    /** Connects, and prepares the session. */
    static Physical open(Settings settings, long now) throws SQLException {
        Connection driver = settings.connector().connect();
        try {
            var physical = new Physical(driver, settings, now);
            physical.setUp();
            physical.reported = ReportedSettings.of(driver);
            return physical;
        } catch (Throwable e) {
            try {
                driver.close();
            } catch (Throwable other) {
                throw Failures.sneaky(Failures.joined(e, other));
            }
            throw e;
        }
    }

    private void setUp() throws SQLException {
        if (settings.catalog() != null) driver.setCatalog(settings.catalog());
        if (settings.schema() != null) driver.setSchema(settings.schema());
        if (settings.isolation() != null) driver.setTransactionIsolation(settings.isolation());
        if (settings.readOnly() != null) driver.setReadOnly(settings.readOnly());
        if (settings.initSql() != null) execute(settings.initSql());
        if (driver.getAutoCommit() != settings.autoCommit()) {
            if (!driver.getAutoCommit()) driver.commit();
            driver.setAutoCommit(settings.autoCommit());
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = driver.createStatement()) {
            statement.execute(sql);
        }
    }

    boolean isExpired(long now) {
        return now >= expiresNanos;
    }

    /** Asks the server whether the connection works. May wait. */
    boolean isValid() throws SQLException {
        int seconds = (int) Math.min(
                Integer.MAX_VALUE, Math.max(1, settings.validationTimeout().toSeconds()));
        boolean valid = driver.isValid(seconds);
        if (valid && !driver.getAutoCommit()) driver.rollback();
        return valid;
    }

    /**
     * Brings it into the state in which it was when its lease began.
     *
     * @throws SQLException if that can't be done
     */
    void clean(Lease last) throws SQLException {
        if (last.needsNoCleaning(driver)
                && changes.isEmpty()
                && isAsReported()
                && (!mayHaveChangedUnseen(last) || isResetMadeDue())) {
            driver.clearWarnings();
            return;
        }
        TimedCall.wholly(settings.validationTimeout(), "cleaning up a connection of " + settings.name(), () -> {
            last.closeHandles();
            rollBack(last);
            if (last.mayHaveChangedSession()) resetSession();
            else if (mayHaveChangedUnseen(last)) resetUnseen();
            else if (changes.areUnknown()) resetSession();
            else changes.restore(driver);
            if (!isAsReported()) reset();
            driver.clearWarnings();
            return true;
        });
    }

    /** True if a function, a trigger or a view may have changed the session. */
    private boolean mayHaveChangedUnseen(Lease last) {
        return resetsAfterUse && last.hasExecuted();
    }

    /** True if its settings are as they were when this lease began. */
    boolean isAsItBegan(Lease current) throws SQLException {
        return current.sessionIsAsItBegan() && !mayHaveChangedUnseen(current);
    }

    private boolean isAsReported() {
        return reported == null || reported.areAsTheyWere(driver);
    }

    /** Resets the session after a change that only the server's reports have shown. */
    private void reset() throws SQLException {
        if (resetSql == null) broken = true;
        else resetSession();
    }

    /** True if SQL has changed the session, and there is no statement to undo that. */
    boolean isSpent(Lease last) {
        return !broken
                && resetSql == null
                && (last.mayHaveChangedSession() || mayHaveChangedUnseen(last) || changes.areUnknown());
    }

    private void rollBack(Lease last) throws SQLException {
        if (!driver.getAutoCommit()) {
            driver.rollback();
        } else if (last.hasTransaction(driver)) {
            driver.setAutoCommit(false);
            try {
                driver.rollback();
            } finally {
                driver.setAutoCommit(true);
            }
        }
    }

    /** Makes the session as new by the reset statement, as JDBC does not know the settings that SQL has changed. */
    private void resetSession() throws SQLException {
        beginReset();
        statements.clear();
        if (quickReset != null) quickReset.forgetPrepared();
        execute(Objects.requireNonNull(resetSql));
        Notifications.forget(driver);
        if (clientInfo instanceof Properties some && !some.isEmpty()) driver.setClientInfo(some);
        endReset();
    }

    private void resetUnseen() throws SQLException {
        if (quickReset == null) {
            resetSession();
            return;
        }
        beginReset();
        quickReset.run(changes.areUnknown() || !isAsReported());
        endReset();
    }

    /** True if the session is reset before the next use, and nothing has to be set after that. */
    private boolean isResetMadeDue() throws SQLException {
        return quickReset != null && setsNothingUp() && !driver.isReadOnly() && quickReset.isMadeDue();
    }

    private boolean setsNothingUp() {
        return settings.catalog() == null
                && settings.schema() == null
                && settings.isolation() == null
                && settings.readOnly() == null
                && settings.initSql() == null;
    }

    /** True if the session is to be reset before what is sent next. */
    boolean isResetDue() {
        return quickReset != null && quickReset.isDue();
    }

    /** True if a reset of the session is due, or may be under way. Any thread. */
    boolean isResetAhead() {
        return quickReset != null && quickReset.isAhead();
    }

    /** Sends a reset that is due. */
    void flushReset() throws SQLException {
        if (quickReset != null) quickReset.flush();
    }

    /** Throws if it is known that the session could not be reset. */
    void requireResetNotFailed() throws SQLException {
        if (quickReset != null) quickReset.requireNotFailed();
    }

    private void beginReset() throws SQLException {
        changes.restore(driver);
        if (!driver.getAutoCommit()) driver.setAutoCommit(true);
    }

    private void endReset() throws SQLException {
        if (driver.isReadOnly()) {
            // a driver that has told the server so tells it again only after a change
            driver.setReadOnly(false);
            driver.setReadOnly(true);
        }
        setUp();
        changes.forget();
    }

    /**
     * Called when the execution of a statement has ended that the driver was told to cancel. Some drivers keep the
     * request for the statement's next execution, so the statement is not used again. If the execution did not end by
     * the cancellation, the connection is not used again either, as its driver may have more caches; unless its server
     * forgets such a request.
     *
     * @param thrown what the execution ended with, or null
     */
    void cancelled(Statement statement, @Nullable Throwable thrown) {
        statements.distrust(statement);
        if (!forgetsCancels && !Failures.isCancellation(thrown)) broken = true;
    }

    void close() throws SQLException {
        if (!broken && lease != null) rollBackForGood();
        if (broken) abort();
        else driver.close();
    }

    /**
     * Closes the connection after the end of the run, when there is no pool any more. On the thread of its last user.
     */
    void closeAfterRun() {
        try {
            close();
        } catch (SQLException | RuntimeException e) {
            // the connection is gone in any case
            LOG.log(System.Logger.Level.DEBUG, () -> "closing a connection of " + settings.name(), e);
        }
    }

    /** Rolls back before the close of a connection that was not cleaned: some drivers commit in their close. */
    private void rollBackForGood() {
        try {
            if (!driver.getAutoCommit()) driver.rollback();
        } catch (SQLException | RuntimeException e) {
            broken = true;
        }
    }

    /** Closes it without a message to the server, which may be gone. */
    private void abort() throws SQLException {
        try {
            driver.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
            driver.close();
        }
    }
}
