package org.trueasync.internal.error;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The place where methods of errors are called and errors are put together, so that none is lost. An error is user
 * code: any of its methods may throw, wait, or return null; a chain of causes may be a cycle or never end; the same
 * object may have been thrown twice; and an error may refuse suppressed ones. None of that leaves this class. While an
 * error's method runs, the running coroutine can't wait. ({@code spi.Errors} puts errors together too, by final methods
 * of {@link Throwable} alone.)
 */
public final class Causes {
    /** More than the length of any chain that is not a cycle or made up on demand. */
    private static final int MAX_CHAIN = 1_000;

    private static final int MAX_TEXT = 8_000;

    /** Set once, before the first coroutine begins. */
    private static ErrorHost host = new NoHost();

    private Causes() {}

    /**
     * Installs the kernel's side of this class. The kernel calls it, before the first coroutine begins.
     *
     * @param kernel replaces {@link NoHost}
     */
    public static void install(ErrorHost kernel) {
        host = kernel;
    }

    /** Returns the coroutine that runs here, for messages; empty if none does. */
    public static String coroutineHere() {
        return host.coroutineHere();
    }

    // ---- calling an error's methods

    /** Returns the error's cause; null if it has none or its method fails. */
    public static @Nullable Throwable cause(Throwable error) {
        Object refusing = refuseWaits();
        try {
            return error.getCause();
        } catch (Throwable refused) {
            return null;
        } finally {
            allowWaits(refusing);
        }
    }

    /** Returns the error's message, cut if it is too long; null if it has none or its method fails. */
    public static @Nullable String message(Throwable error) {
        Object refusing = refuseWaits();
        try {
            String message = error.getMessage();
            return message == null ? null : bounded(message);
        } catch (Throwable refused) {
            return null;
        } finally {
            allowWaits(refusing);
        }
    }

    /** Returns the error's {@code toString}, cut if it is too long; the name of its class if that fails. */
    public static String text(Throwable error) {
        Object refusing = refuseWaits();
        try {
            String text = error.toString();
            if (text != null) return bounded(text);
        } catch (Throwable refused) {
            // below
        } finally {
            allowWaits(refusing);
        }
        return error.getClass().getName();
    }

    /** Returns the error's frames; none if its method fails. */
    public static StackTraceElement[] frames(Throwable error) {
        Object refusing = refuseWaits();
        try {
            StackTraceElement[] frames = error.getStackTrace();
            if (frames != null) return frames;
        } catch (Throwable refused) {
            // below
        } finally {
            allowWaits(refusing);
        }
        return new StackTraceElement[0];
    }

    /**
     * Returns an error with its stack, its causes and its suppressed errors as the JDK prints them, in several lines.
     * What its methods fail to give is left out.
     *
     * @param error any error
     */
    public static String trace(Throwable error) {
        try {
            return new TraceText().of(error);
        } catch (Throwable e) {
            return error.getClass().getName(); // neither memory nor stack for more
        }
    }

    /**
     * Runs a call of the JDK that may call methods of a user's error.
     *
     * @param call the call; the running coroutine can't wait in it
     */
    public static void withoutWaits(Runnable call) {
        Object refusing = refuseWaits();
        try {
            call.run();
        } finally {
            allowWaits(refusing);
        }
    }

    /**
     * Keeps the running coroutine from waiting until {@link #allowWaits}. Returns null if none runs, or it could not
     * wait anyway.
     */
    private static @Nullable Object refuseWaits() {
        return host.refuseWaits();
    }

    private static void allowWaits(@Nullable Object refusing) {
        if (refusing != null) host.allowWaits(refusing);
    }

    private static String bounded(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
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
     * Returns the first error with the next one suppressed in it; an error around both if the first one refuses that.
     *
     * @param first null if there is none so far
     * @param next the next one; may be the same
     */
    public static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) return next;
        if (hasSuppressed(first, next)) return first;
        suppress(first, next);
        return hasSuppressed(first, next) ? first : around(first, next);
    }

    /** Returns the error with another one as its cause, or as suppressed if it has a cause already. */
    public static Throwable chained(Throwable error, Throwable cause) {
        if (error == cause) return error;
        if (cause(error) == null) {
            Object refusing = refuseWaits();
            try {
                error.initCause(cause);
            } catch (Throwable fixed) {
                // its cause was set to null for good, or its method fails
            } finally {
                allowWaits(refusing);
            }
            if (cause(error) == cause) return error;
        }
        return joined(error, cause);
    }

    /**
     * Returns an error around two, if the first one refuses suppressed errors. An error of the JVM is returned as it
     * is; the other error is then lost.
     */
    private static Throwable around(Throwable error, Throwable other) {
        if (error instanceof VirtualMachineError) return error;
        try {
            return host.both(error, other);
        } catch (Throwable noMemory) {
            return error;
        }
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
