package org.trueasync.internal.error;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The place where methods of errors are called and errors are put together, so that none is lost. An error is user
 * code: its methods may throw or return null; a chain of causes may be a cycle or never end; the same object may have
 * been thrown twice; and an error may refuse suppressed ones. None of that leaves this class.
 */
public final class Causes {
    /** More than the length of any chain that is not a cycle or made up on demand. */
    private static final int MAX_CHAIN = 1_000;

    private static final int MAX_TEXT = 8_000;
    private static final int MAX_TRACE = 200_000;

    private Causes() {}

    // ---- calling an error's methods

    /** Returns the error's cause; null if it has none or its method fails. */
    public static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** Returns the error's message; null if it has none or its method fails. */
    public static @Nullable String message(Throwable error) {
        try {
            return error.getMessage();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** Returns the error's {@code toString}, cut if it is too long; the name of its class if that fails. */
    public static String text(Throwable error) {
        try {
            String text = error.toString();
            if (text != null) return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
        } catch (Throwable refused) {
            // below
        }
        return error.getClass().getName();
    }

    /**
     * Returns what {@code printStackTrace} prints, cut if it is too long; if that fails, what it has printed by then,
     * or the name of the error's class and its frames.
     */
    public static String trace(Throwable error) {
        try {
            var text = new LimitedText();
            try {
                error.printStackTrace(new PrintWriter(text));
            } catch (Throwable refused) {
                text.append(text.getBuffer().isEmpty() ? withFrames(error) : "[more can't be told]");
            }
            return text.toString().stripTrailing();
        } catch (Throwable e) {
            return error.getClass().getName(); // neither memory nor stack for more
        }
    }

    private static String withFrames(Throwable error) {
        var text = new StringBuilder(text(error));
        for (StackTraceElement frame : error.getStackTrace())
            text.append("\n\tat ").append(frame);
        return text.toString();
    }

    /** Ends the printing of causes that are made up on demand. */
    private static final class LimitedText extends StringWriter {
        @Override
        public void write(String part, int from, int length) {
            int room = Math.max(0, MAX_TRACE - getBuffer().length());
            super.write(part, from, Math.min(length, room));
            if (length > room) throw new IllegalStateException("more than " + MAX_TRACE + " characters");
        }
    }

    // ---- chains

    public static boolean any(Throwable error, Predicate<Throwable> wanted) {
        Throwable t = error;
        for (int i = 0; t != null && i < MAX_CHAIN; i++, t = cause(t)) if (wanted.test(t)) return true;
        return false;
    }

    public static boolean contains(Throwable error, Throwable sought) {
        return any(error, t -> t == sought);
    }

    /**
     * True if the sought error is this one, or is one of its causes or suppressed errors, at any depth. Looks at no
     * more than {@link #MAX_CHAIN} errors.
     */
    public static boolean carries(Throwable error, Throwable sought) {
        var open = new ArrayDeque<Throwable>();
        open.add(error);
        for (int i = 0; i < MAX_CHAIN; i++) {
            Throwable next = open.poll();
            if (next == null) return false;
            if (next == sought) return true;
            open.addAll(List.of(next.getSuppressed()));
            Throwable cause = cause(next);
            if (cause != null) open.add(cause);
        }
        return false;
    }

    // ---- putting together

    /**
     * Adds an error to another one as suppressed, if that accepts it.
     *
     * @param error the error that carries it
     * @param other the suppressed one; if it is the same, the call has no effect
     */
    public static void suppress(Throwable error, Throwable other) {
        if (error == other) return;
        try {
            error.addSuppressed(other);
        } catch (Throwable noMemory) {
            // the first one is more important
        }
    }

    /** Adds to another error what is suppressed in an error and its causes, up to that one. */
    public static void handOn(Throwable error, Throwable to) {
        any(error, t -> {
            if (t != to) for (Throwable suppressed : t.getSuppressed()) joined(to, suppressed);
            return t == to;
        });
    }

    /** True if the error has the other one as suppressed; also if there is no memory to find out. */
    private static boolean hasSuppressed(Throwable error, Throwable other) {
        try {
            for (Throwable suppressed : error.getSuppressed()) if (suppressed == other) return true;
            return false;
        } catch (Throwable noMemory) {
            return true;
        }
    }

    /**
     * Returns the first error with the next one suppressed in it. If the first one refuses that, returns an error
     * around both; but an error of the JVM's own is returned as it is, and the next one is lost then.
     *
     * @param first null if there is none so far
     * @param next the next one; may be the same
     */
    public static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) return next;
        if (hasSuppressed(first, next)) return first;
        suppress(first, next);
        if (first instanceof VirtualMachineError || hasSuppressed(first, next)) return first;
        try {
            var both = new RuntimeException("2 errors, this one's cause and suppressed", first);
            both.addSuppressed(next);
            return both;
        } catch (OutOfMemoryError full) {
            return first;
        }
    }

    /** Returns the error with another one as its cause, or as suppressed if it has a cause already. */
    public static Throwable chained(Throwable error, Throwable cause) {
        if (error == cause) return error;
        if (cause(error) == null) {
            try {
                error.initCause(cause);
            } catch (Throwable fixed) {
                // its cause was set to null for good, or its method fails
            }
            if (cause(error) == cause) return error;
        }
        return joined(error, cause);
    }

    /**
     * Returns the later one of two errors, with the earlier one as its cause, unless it has that as a cause already. If
     * it can't take a cause, the earlier one is suppressed in it.
     *
     * @param later the error that was thrown last
     * @param earlier the error before it
     */
    public static Throwable after(Throwable later, Throwable earlier) {
        if (contains(later, earlier)) return later;
        return contains(earlier, later) ? joined(later, earlier) : chained(later, earlier);
    }

    /** Returns an exception around a checked one. */
    static CompletionException wrapped(Throwable error) {
        return new CompletionException(text(error), error);
    }

    public static String texts(List<? extends Throwable> errors) {
        var text = new StringBuilder("[");
        for (Throwable error : errors) {
            if (text.length() > 1) text.append(", ");
            if (text.length() > MAX_TEXT) return text.append("...]").toString();
            text.append(text(error));
        }
        return text.append(']').toString();
    }
}
