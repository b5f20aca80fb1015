package org.trueasync.internal.error;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one place where errors are asked about themselves and put together, so that none is lost. What it is given is the user's: any method of an error may throw,
 * wait, or return nothing; a chain of causes may be a cycle or never end; the same object may have been thrown twice; and an error may refuse to carry
 * others. None of that leaves this class. While an error is asked, the running coroutine can't wait.
 */
public final class Causes {
    /** Longer than any chain that is not a cycle or made up while it is asked for. */
    private static final int LONGEST = 1_000;

    private static final int LONGEST_TEXT = 8_000;

    /** Set once, before the first coroutine begins. */
    private static ErrorHost host = new NoHost();

    private Causes() {}

    /**
     * Has this class know of coroutines from now on. The kernel calls it, before the first coroutine begins.
     *
     * @param kernel in place of what is done while there is none
     */
    public static void install(ErrorHost kernel) {
        host = kernel;
    }

    /** Which coroutine runs here, for a person to read; empty if none does. */
    public static String coroutineHere() {
        return host.coroutineHere();
    }

    // ---- asking

    /** The error's cause; null if it has none or does not say. */
    public static @Nullable Throwable cause(Throwable error) {
        Object silenced = silence();
        try {
            return error.getCause();
        } catch (Throwable refused) {
            return null;
        } finally {
            goOn(silenced);
        }
    }

    /** The error's message, cut if it is endless; null if it has none or does not say. */
    public static @Nullable String message(Throwable error) {
        Object silenced = silence();
        try {
            String message = error.getMessage();
            return message == null ? null : bounded(message);
        } catch (Throwable refused) {
            return null;
        } finally {
            goOn(silenced);
        }
    }

    /** What the error says of itself, cut if it is endless; the name of its class if it does not say. */
    public static String text(Throwable error) {
        Object silenced = silence();
        try {
            String text = error.toString();
            if (text != null) return bounded(text);
        } catch (Throwable refused) {
            // below
        } finally {
            goOn(silenced);
        }
        return error.getClass().getName();
    }

    /** The error's frames; none if it does not say. */
    public static StackTraceElement[] frames(Throwable error) {
        Object silenced = silence();
        try {
            StackTraceElement[] frames = error.getStackTrace();
            if (frames != null) return frames;
        } catch (Throwable refused) {
            // below
        } finally {
            goOn(silenced);
        }
        return new StackTraceElement[0];
    }

    /**
     * An error with its stack, its causes and what it carries, as the JDK prints them, as far as they can be had, in several lines.
     *
     * @param error any
     */
    public static String trace(Throwable error) {
        try {
            return new TraceText().of(error);
        } catch (Throwable e) {
            return error.getClass().getName(); // neither memory nor stack for more
        }
    }

    /**
     * Runs something of the JDK's that may ask an error of a user's about itself.
     *
     * @param call what asks; the running coroutine can't wait in it
     */
    public static void asking(Runnable call) {
        Object silenced = silence();
        try {
            call.run();
        } finally {
            goOn(silenced);
        }
    }

    /** From here to {@link #goOn} the running coroutine can't wait; null if none runs, or it could not anyway. */
    private static @Nullable Object silence() {
        return host.refuseWaits();
    }

    private static void goOn(@Nullable Object silenced) {
        if (silenced != null) host.allowWaits(silenced);
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    // ---- chains

    public static boolean any(Throwable error, Predicate<Throwable> wanted) {
        Throwable t = error;
        for (int i = 0; t != null && i < LONGEST; i++, t = cause(t)) if (wanted.test(t)) return true;
        return false;
    }

    public static boolean contains(Throwable error, Throwable sought) {
        return any(error, t -> t == sought);
    }

    /** True if the sought one is the error, or is told with it: attached to it or a cause, however deep. */
    public static boolean carries(Throwable error, Throwable sought) {
        var open = new ArrayDeque<Throwable>();
        open.add(error);
        for (int i = 0; i < LONGEST; i++) {
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
     * Has an error carry another one as suppressed, as far as it does that.
     *
     * @param error which carries
     * @param other may be the same, which does nothing
     */
    public static void suppress(Throwable error, Throwable other) {
        if (error == other) return;
        try {
            error.addSuppressed(other);
        } catch (Throwable noMemory) {
            // the first one is what matters
        }
    }

    /** True if the error carries the other one; also if that can't be seen any more for want of memory. */
    private static boolean hasSuppressed(Throwable error, Throwable other) {
        try {
            for (Throwable suppressed : error.getSuppressed()) if (suppressed == other) return true;
            return false;
        } catch (Throwable noMemory) {
            return true;
        }
    }

    /**
     * The first error with the next one as suppressed; one around both if it refuses to carry others.
     *
     * @param first null if there is none so far
     * @param next may be the same
     */
    public static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) return next;
        if (hasSuppressed(first, next)) return first;
        suppress(first, next);
        return hasSuppressed(first, next) ? first : around(first, next);
    }

    /** The error with another one as its cause, or as suppressed where it has a cause already. */
    public static Throwable chained(Throwable error, Throwable cause) {
        if (error == cause) return error;
        if (cause(error) == null) {
            Object silenced = silence();
            try {
                error.initCause(cause);
            } catch (Throwable fixed) {
                // its cause was set to null for good, or its method fails
            } finally {
                goOn(silenced);
            }
            if (cause(error) == cause) return error;
        }
        return joined(error, cause);
    }

    /** For an error that refuses to carry the other one. The JVM's own are what they are, and stay outermost. */
    private static Throwable around(Throwable error, Throwable other) {
        if (error instanceof VirtualMachineError) return error;
        try {
            return host.both(error, other);
        } catch (Throwable noMemory) {
            return error;
        }
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

    /** An exception around one that may not be thrown as it is. */
    static CompletionException wrapped(Throwable error) {
        return new CompletionException(text(error), error);
    }

    /** Errors as one line. */
    public static String texts(List<? extends Throwable> errors) {
        var text = new StringBuilder("[");
        for (Throwable error : errors) {
            if (text.length() > 1) text.append(", ");
            if (text.length() > LONGEST_TEXT) return text.append("...]").toString();
            text.append(text(error));
        }
        return text.append(']').toString();
    }
}
