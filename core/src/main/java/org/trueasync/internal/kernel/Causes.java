package org.trueasync.internal.kernel;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts errors together so that none is lost. What it is given is the user's: a chain of causes may be a cycle, the same object may have been
 * thrown twice, and {@code toString} may throw.
 */
public final class Causes {
    /** Longer than any chain that is not a cycle. */
    private static final int LONGEST = 1_000;

    private Causes() {}

    static boolean any(Throwable error, Predicate<Throwable> wanted) {
        Throwable t = error;
        for (int i = 0; t != null && i < LONGEST; i++, t = t.getCause()) if (wanted.test(t)) return true;
        return false;
    }

    static boolean contains(Throwable error, Throwable sought) {
        return any(error, t -> t == sought);
    }

    /** True if the sought one was attached to the error, however deep, or is it. */
    static boolean carries(Throwable error, Throwable sought) {
        var open = new ArrayDeque<Throwable>();
        open.add(error);
        for (int i = 0; i < LONGEST; i++) {
            Throwable next = open.poll();
            if (next == null) return false;
            if (next == sought) return true;
            open.addAll(List.of(next.getSuppressed()));
        }
        return false;
    }

    /**
     * The first error with the next one as suppressed.
     *
     * @param first null if there is none so far
     * @param next may be the same
     */
    public static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null) return next;
        if (first == next) return first;
        for (Throwable known : first.getSuppressed()) if (known == next) return first;
        first.addSuppressed(next);
        return first;
    }

    /** The error with another one as its cause, or as suppressed where it has a cause already. */
    static Throwable chained(Throwable error, Throwable cause) {
        if (error == cause) return error;
        try {
            if (error.getCause() == null) return error.initCause(cause);
        } catch (IllegalStateException fixed) {
            // its cause was set to null for good
        }
        error.addSuppressed(cause);
        return error;
    }

    /**
     * The later one of two errors, with the earlier one as its cause unless it has it already.
     *
     * @param later what was thrown last
     * @param earlier what had happened before
     */
    public static Throwable after(Throwable later, Throwable earlier) {
        if (contains(later, earlier)) return later;
        return contains(earlier, later) ? joined(later, earlier) : chained(later, earlier);
    }

    /**
     * An error with its stack, as far as it can be had.
     *
     * @param error any
     */
    public static String trace(Throwable error) {
        try {
            var text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            return text.toString().stripTrailing();
        } catch (Throwable e) {
            return text(error);
        }
    }

    /** One line about an error. */
    static String text(Throwable error) {
        try {
            return error.toString();
        } catch (Throwable e) {
            return error.getClass().getName();
        }
    }
}
