package org.trueasync.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;
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

    private Traces() {}

    /**
     * An error's stack trace as text, trimmed.
     *
     * @param error about to be printed; changed in place
     */
    static String text(Throwable error) {
        trim(error);
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Whether an error comes from the plumbing itself: no line of the program is in its own trace. */
    static boolean isPlumbing(Throwable error) {
        return Stream.of(error.getStackTrace()).allMatch(Traces::isPlumbing);
    }

    /**
     * Trims an error, and what it was caused by and carries. An error thrown inside the plumbing itself keeps its whole trace.
     *
     * @param error about to be printed; changed in place
     */
    static void trim(Throwable error) {
        trim(error, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static void trim(@Nullable Throwable error, Set<Throwable> seen) {
        if (error == null || !seen.add(error)) {
            return;
        }
        StackTraceElement[] frames = error.getStackTrace();
        int kept = frames.length;
        while (kept > 0 && isPlumbing(frames[kept - 1])) {
            kept--;
        }
        if (kept > 0) {
            error.setStackTrace(List.of(frames).subList(0, kept).toArray(StackTraceElement[]::new));
        }
        trim(error.getCause(), seen);
        for (Throwable suppressed : error.getSuppressed()) {
            trim(suppressed, seen);
        }
    }

    private static boolean isPlumbing(StackTraceElement frame) {
        return PLUMBING.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
