package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One connection of the driver's, which the pool keeps; lent to one lease at a time. */
final class Physical {
    private static final System.Logger LOG = System.getLogger("org.trueasync.jdbc");

    private static final String POSTGRES = "PostgreSQL";

    final Connection driver;
    final StatementCache statements;
    final SessionChanges changes;
    private final Settings settings;
    private final @Nullable String resetSql;

    /** Once the session is prepared. */
    private @Nullable ReportedSettings reported;

    /** The server forgets a request to cancel that finds nothing to be cancelled. */
    private final boolean forgetsCancels;

    /** The driver may have set some of it when it had connected, which the reset takes away. */
    private final @Nullable Object clientInfo;

    private final long expires;

    /** When it was given back, or looked at. */
    long lastUsed;

    /** When it was looked at for the last time, or used. */
    long lastSeen;

    /** Lost, or in an unknown state: it is never used again. */
    boolean broken;

    /** Whose it is, or was last. */
    @Nullable
    Lease lease;

    private Physical(Connection driver, Settings settings, long now) throws SQLException {
        this.driver = driver;
        this.settings = settings;
        this.changes = new SessionChanges(settings.autoCommit());
        this.statements = new StatementCache(settings.statementCache());
        boolean postgres = POSTGRES.equals(driver.getMetaData().getDatabaseProductName());
        this.resetSql = settings.resetSql() != null ? settings.resetSql() : postgres ? "DISCARD ALL" : null;
        this.forgetsCancels = postgres;
        this.clientInfo = resetSql == null ? null : clientInfo(driver);
        long life = settings.maxLifetime().toNanos();
        // not all at once, if they were made at once
        this.expires = life == 0
                ? Long.MAX_VALUE
                : now + life - ThreadLocalRandom.current().nextLong(life / 40 + 1);
        this.lastUsed = now;
        this.lastSeen = now;
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
                throw Failures.sneaky(ErrorDetails.joined(e, other));
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
        return now >= expires;
    }

    /** Asks the server. */
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
        if (last.leavesNothing(driver) && changes.isEmpty() && isAsReported()) {
            driver.clearWarnings();
            return;
        }
        TimedCall.within(settings.validationTimeout(), "cleaning up a connection of " + settings.name(), () -> {
            last.closeHandles();
            rollBack(last);
            if (last.touchesSession() || changes.areUnknown()) begin();
            else changes.restore(driver);
            if (!isAsReported()) reset();
            driver.clearWarnings();
            return true;
        });
    }

    private boolean isAsReported() {
        return reported == null || reported.areAsTheyWere(driver);
    }

    /** Something has changed the session that nobody has noticed before. */
    private void reset() throws SQLException {
        if (resetSql == null) broken = true;
        else begin();
    }

    /** True if SQL has changed the session, and nobody knows how to undo that. */
    boolean isSpent(Lease last) {
        return !broken && resetSql == null && (last.touchesSession() || changes.areUnknown());
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

    /** The session as new; settings that SQL has changed JDBC knows nothing of. */
    private void begin() throws SQLException {
        changes.restore(driver);
        statements.clear();
        if (!driver.getAutoCommit()) driver.setAutoCommit(true);
        execute(Objects.requireNonNull(resetSql));
        Notifications.forget(driver);
        if (clientInfo instanceof Properties some && !some.isEmpty()) driver.setClientInfo(some);
        setUp();
        changes.forget();
    }

    /**
     * The driver was told to cancel a statement whose execution has ended now. Some remember that until the statement is executed the next time, by whomever; so
     * it is not used again, and neither is the connection, whose driver may have more caches, if the execution did not end by the cancellation.
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

    /** By whoever used it last: there is no pool any more. */
    void closeAfterRun() {
        try {
            close();
        } catch (SQLException | RuntimeException e) {
            // It is gone in any case.
            LOG.log(System.Logger.Level.DEBUG, () -> "closing a connection of " + settings.name(), e);
        }
    }

    /** In use when the data source was closed: some drivers commit with the close what is open. */
    private void rollBackForGood() {
        try {
            if (!driver.getAutoCommit()) driver.rollback();
        } catch (SQLException | RuntimeException e) {
            broken = true;
        }
    }

    /** Without a farewell, for which the server may not be there. */
    private void abort() throws SQLException {
        try {
            driver.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
            driver.close();
        }
    }
}
