package org.trueasync.launcher;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Formats stack traces as the JDK does, but without the frames at the bottom that show how the program was started. It
 * reads errors by {@link ErrorDetails}, not {@code printStackTrace}, because an error's own methods may fail, or its
 * causes may never end.
 */
final class Traces {
    private static final List<String> PLUMBING = List.of(
            "org.trueasync.launcher.",
            "org.trueasync.internal.",
            "org.trueasync.AsyncRuntime",
            "org.trueasync.Task",
            "java.lang.reflect.",
            "java.lang.invoke.",
            "jdk.internal.",
            "java.lang.VirtualThread",
            "java.lang.Thread");

    /** More errors than this are taken for causes that an error creates endlessly. */
    private static final int MAX_ERRORS = 100;

    private static final int MAX_LINES = 5_000;

    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private int lines;

    private Traces() {}

    /**
     * Returns the text of an error with its stack, causes and suppressed errors; each line ends with a line separator.
     * An error thrown inside the plumbing itself keeps its whole trace.
     *
     * @param error the error; not changed
     */
    static String text(Throwable error) {
        Traces trace = new Traces();
        trace.add("", "", error, null);
        return trace.text.toString();
    }

    /** True if an error comes from the plumbing itself: its trace has no frame of the program. */
    static boolean isPlumbing(Throwable error) {
        return Stream.of(ErrorDetails.frames(error)).allMatch(Traces::isPlumbing);
    }

    private void add(String indent, String label, Throwable error, StackTraceElement @Nullable [] enclosing) {
        if (!seen.add(error)) {
            line(indent + label + "[CIRCULAR REFERENCE: " + ErrorDetails.text(error) + "]");
            return;
        }
        if (seen.size() > MAX_ERRORS) {
            line(indent + label + "[more errors]");
            return;
        }
        StackTraceElement[] frames = withoutPlumbing(ErrorDetails.frames(error));
        int inCommon = enclosing == null ? 0 : inCommon(frames, enclosing);
        line(indent + label + ErrorDetails.text(error));
        for (int i = 0; i < frames.length - inCommon; i++) {
            line(indent + "\tat " + frames[i]);
        }
        if (inCommon > 0) {
            line(indent + "\t... " + inCommon + " more");
        }
        for (Throwable suppressed : error.getSuppressed()) {
            add(indent + "\t", "Suppressed: ", suppressed, frames);
        }
        Throwable cause = ErrorDetails.cause(error);
        if (cause != null) {
            add(indent, "Caused by: ", cause, frames);
        }
    }

    private static int inCommon(StackTraceElement[] frames, StackTraceElement[] enclosing) {
        int common = 0;
        while (common < frames.length
                && common < enclosing.length
                && frames[frames.length - 1 - common].equals(enclosing[enclosing.length - 1 - common])) {
            common++;
        }
        return common;
    }

    private void line(String line) {
        if (lines < MAX_LINES) {
            text.append(line).append(System.lineSeparator());
        } else if (lines == MAX_LINES) {
            text.append("[more lines]").append(System.lineSeparator());
        }
        lines++;
    }

    /** The frames without the plumbing at their bottom; all frames if there is only plumbing. */
    static StackTraceElement[] withoutPlumbing(StackTraceElement[] frames) {
        int kept = frames.length;
        while (kept > 0 && isPlumbing(frames[kept - 1])) {
            kept--;
        }
        return kept == 0 ? frames : Arrays.copyOf(frames, kept);
    }

    private static boolean isPlumbing(@Nullable StackTraceElement frame) {
        return frame == null || PLUMBING.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
