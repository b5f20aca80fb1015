package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.CompositeException;
import org.trueasync.Coroutine;
import org.trueasync.PoolException;
import org.trueasync.PoolStats;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.spi.EndOfRun;

/** Tells what errors mean, and makes errors of our own. */
final class Failures {
    /**
     * States beside those of class 08 (connection errors) that mean a lost session: the server goes down, or has ended
     * this session.
     */
    private static final Set<String> SESSION_LOST =
            Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "01002", "JZ0C0", "JZ0C1", "90067", "90098", "90121");

    /** States of a server that can't take connections yet: it is starting, or has its maximum of them. */
    private static final Set<String> NOT_READY = Set.of("53300", "57P03", "90020");

    /** States of a cancelled statement: PostgreSQL, H2 and others; MySQL; SQL Server and ODBC; Oracle. */
    private static final Set<String> CANCELLED = Set.of("57014", "70100", "HY008", "72000");

    private static final Set<String> PLAN_LOST = Set.of("0A000", "26000");

    private Failures() {}

    private static boolean isOneOf(Set<String> states, SQLException error) {
        String state = error.getSQLState();
        return state != null && states.contains(state);
    }

    /** Messages of drivers that have no such states: SQLite's, DuckDB's. */
    private static final Pattern INTERRUPTED = Pattern.compile("\\[SQLITE_INTERRUPT\\]|INTERRUPT Error");

    /** True if the statement ended because it was cancelled. */
    static boolean isCancellation(@Nullable Throwable error) {
        if (!(error instanceof SQLException e)) return false;
        if (isOneOf(CANCELLED, e)) return true;
        String text = e.getMessage();
        return text != null && INTERRUPTED.matcher(text).find();
    }

    /** True if the error, or one of its chain, means that the session is lost. */
    static boolean isSessionLost(SQLException error) {
        int depth = 0;
        for (SQLException e = error; e != null && depth++ < 10; e = e.getNextException()) {
            String state = e.getSQLState();
            if (e instanceof SQLRecoverableException || e instanceof SQLNonTransientConnectionException) return true;
            if (state != null && (state.startsWith("08") || SESSION_LOST.contains(state))) return true;
        }
        return false;
    }

    /** True if connecting may succeed soon. */
    static boolean isServerNotReady(SQLException error) {
        return isOneOf(NOT_READY, error);
    }

    /**
     * True if the statement's plan is not valid any more, or the server has forgotten it; the statement has done
     * nothing.
     */
    static boolean isPlanLost(SQLException error) {
        return isOneOf(PLAN_LOST, error);
    }

    /** Translates an error of the pool into one of JDBC; throws any other error. */
    static SQLException ofPool(RuntimeException error, String name) {
        return switch (error) {
            case CompletionException e when e.getCause() instanceof SQLException cause -> cause;
            case AsyncTimeoutException e -> new SQLTransientConnectionException(e.getMessage(), "08001", e);
            case ServiceUnavailableException e -> new SQLTransientConnectionException(e.getMessage(), "08001", e);
            case PoolException e -> new SQLNonTransientConnectionException(e.getMessage(), "08003", e);
            case AsyncException e -> outside(name, e);
            default -> throw error;
        };
    }

    /** For a place where no connection can be had, such as the end of a coroutine. */
    static SQLException outside(String name, AsyncException cause) {
        return new SQLException(
                "data source " + name + " has no connection for this place: " + cause.getMessage(), "HY000", cause);
    }

    /** For a call that only coroutines may make. */
    static SQLException noCoroutine(String name) {
        return new SQLException(
                "the shared connection of data source " + name + " serves coroutines only, and " + Callers.name()
                        + " is none: use getConnection() there",
                "HY000");
    }

    /** For a callback of the loop: a wait there would block the loop that has to serve it. */
    static SQLException onLoop(String name) {
        return new SQLException(
                "data source " + name
                        + " can't serve a callback of the loop, which must not wait: take the connection in a"
                        + " coroutine",
                "HY000");
    }

    /** For a call after the end of the run. */
    static SQLException ended(String name, EndOfRun end) {
        return new SQLNonTransientConnectionException(
                "data source " + name
                        + " is closed, as its runtime has ended or is about to; use it before, in a finally block of"
                        + " main for instance",
                "08003",
                end);
    }

    static SQLException late(String name, Duration waited, PoolStats pool) {
        return new SQLTransientConnectionException(
                "data source " + name + ": no connection for " + Callers.name() + " within " + waited.toMillis()
                        + " ms (active=" + pool.active() + " idle=" + pool.idle() + " waiting=" + pool.waiting()
                        + "); if connections are idle, look whether something holds the loop",
                "08001");
    }

    static SQLException interrupted(String name, InterruptedException cause) {
        return new SQLException(
                "data source " + name + ": " + Callers.name() + " was interrupted while it waited for a connection",
                "HY000",
                cause);
    }

    /** For a statement that might be executed outside of its transaction if it were cancelled now. */
    static SQLException mustNotBeCancelled(Duration waited) {
        return new SQLException(
                "not cancelled: the server has not confirmed within " + waited
                        + " that the transaction of this statement has begun; try again, or abort() the connection",
                "HY000");
    }

    /** For a setting that was not changed. */
    static SQLException mayCommit() {
        return new SQLException(
                "not changed: this coroutine is cancelled, and the change may commit its transaction; roll back first",
                "HY008");
    }

    static SQLException over(Object handle) {
        return new SQLNonTransientConnectionException(
                handle + " is closed, or its connection has been given back", "08003");
    }

    static SQLException foreign(Coroutine<?> owner, String caller) {
        return new SQLException(
                "this connection is coroutine #" + owner.id() + "'s and was used by " + caller
                        + ": a connection serves one coroutine; get another one there, or use shared()",
                "HY000");
    }

    /**
     * Returns the first error with the next one suppressed in it; a composite of both if the first refuses to carry
     * others.
     *
     * @param first null if there is none so far
     * @param next may be the same
     */
    static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) return next;
        first.addSuppressed(next);
        if (Arrays.stream(first.getSuppressed()).anyMatch(e -> e == next)) return first;
        var both = new CompositeException();
        both.add(first);
        both.add(next);
        return both;
    }

    /** Throws an error without a check by the compiler; never returns. */
    static RuntimeException sneaky(Throwable error) {
        return Failures.<RuntimeException>thrown(error);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException thrown(Throwable error) throws E {
        throw (E) error;
    }
}
