package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;

/**
 * Reads what errors tell. Their methods are a driver's or a user's code and may fail; that must cost no connection, and
 * hide no error.
 */
final class ErrorDetails {
    private ErrorDetails() {}

    /** The error's SQLSTATE; null if it has none or does not say. */
    static @Nullable String state(SQLException error) {
        try {
            return error.getSQLState();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** The driver's own code; 0 if it does not say. */
    static int code(SQLException error) {
        try {
            return error.getErrorCode();
        } catch (Throwable refused) {
            return 0;
        }
    }

    /** The next one of the chain; null if there is none or it does not say. */
    static @Nullable SQLException next(SQLException error) {
        try {
            return error.getNextException();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** The error's message; null if it has none or does not say. */
    static @Nullable String message(Throwable error) {
        try {
            return error.getMessage();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** The error's cause; null if it has none or does not say. */
    static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** Copies the frames of one error to another one, if it tells them. */
    static void copyFrames(Throwable from, Throwable to) {
        try {
            to.setStackTrace(from.getStackTrace());
        } catch (Throwable refused) {
            // the second error keeps its own
        }
    }

    /**
     * Returns the first error with the next one suppressed in it; a composite of both if the first refuses to carry
     * others. A {@link VirtualMachineError} that refuses is returned alone.
     *
     * @param first null if there is none so far
     * @param next may be the same
     */
    static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) return next;
        if (carries(first, next)) return first;
        first.addSuppressed(next);
        if (carries(first, next) || first instanceof VirtualMachineError) return first;
        var both = new CompositeException();
        both.add(first);
        both.add(next);
        return both;
    }

    private static boolean carries(Throwable error, Throwable other) {
        for (Throwable suppressed : error.getSuppressed()) if (suppressed == other) return true;
        return false;
    }
}
