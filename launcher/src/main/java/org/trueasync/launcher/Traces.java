package org.trueasync.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes the frames off the bottom of a stack trace that say how the program was started, which a reader has no use for. */
final class Traces {
    private static final List<String> PLUMBING = List.of(
            "org.trueasync.launcher.",
            "org.trueasync.internal.",
            "org.trueasync.AsyncRuntime",
            "java.lang.reflect.",
            "java.lang.invoke.",
            "jdk.internal.",
            "java.lang.VirtualThread",
            "java.lang.Thread");

    /** Beyond this, an error makes its causes up while it is asked for them, or they are too deep for the JDK's recursion. */
    private static final int MOST_ERRORS = 1_000;

    private Traces() {}

    /**
     * An error's stack trace as text, trimmed. An error's own methods may fail, or never come to the end of its causes; then it is told without
     * them.
     *
     * @param error about to be printed; changed in place
     */
    static String text(Throwable error) {
        try {
            if (!trim(error)) {
                return PlainTrace.text(error);
            }
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            return text.toString();
        } catch (RuntimeException | Error unprintable) {
            return PlainTrace.text(error);
        }
    }

    /** Whether an error comes from the plumbing itself: no line of the program is in its own trace. */
    static boolean isPlumbing(Throwable error) {
        return Stream.of(error.getStackTrace()).allMatch(Traces::isPlumbing);
    }

    /**
     * Trims an error, and what it was caused by and carries. An error thrown inside the plumbing itself keeps its whole trace.
     *
     * @param error about to be printed; changed in place
     * @return false if there are so many of them that this ended early
     */
    static boolean trim(Throwable error) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        trim(error, seen);
        return seen.size() < MOST_ERRORS;
    }

    private static void trim(@Nullable Throwable error, Set<Throwable> seen) {
        if (error == null || seen.size() >= MOST_ERRORS || !seen.add(error)) {
            return;
        }
        error.setStackTrace(withoutPlumbing(error.getStackTrace()));
        trim(error.getCause(), seen);
        for (Throwable suppressed : error.getSuppressed()) {
            trim(suppressed, seen);
        }
    }

    /** The frames without the plumbing at their bottom; all of them if there is nothing else. */
    static StackTraceElement[] withoutPlumbing(StackTraceElement[] frames) {
        int kept = frames.length;
        while (kept > 0 && isPlumbing(frames[kept - 1])) {
            kept--;
        }
        return kept == 0 ? frames : Arrays.copyOf(frames, kept);
    }

    private static boolean isPlumbing(StackTraceElement frame) {
        return PLUMBING.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
