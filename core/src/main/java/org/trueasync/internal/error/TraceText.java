package org.trueasync.internal.error;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stack trace of an error as the JDK prints it. Methods of the error are called through {@link Causes} alone, so
 * that none of them does harm. The text is bounded, because an error may make up causes on demand.
 */
final class TraceText {
    private static final int MAX_ERRORS = 100;
    private static final int MAX_LINES = 5_000;
    private static final String LEFT_OUT = "[more is left out]";

    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private int lines;

    String of(Throwable error) {
        add("", "", error, null);
        return text.toString();
    }

    private void add(String prefix, String caption, Throwable error, StackTraceElement @Nullable [] enclosing) {
        if (!seen.add(error)) {
            line(prefix + caption + "[CIRCULAR REFERENCE: " + Causes.text(error) + "]");
            return;
        }
        if (seen.size() > MAX_ERRORS) {
            line(prefix + caption + LEFT_OUT);
            return;
        }
        StackTraceElement[] frames = Causes.frames(error);
        int inCommon = enclosing == null ? 0 : inCommon(frames, enclosing);
        line(prefix + caption + Causes.text(error));
        for (int i = 0; i < frames.length - inCommon; i++) line(prefix + "\tat " + frames[i]);
        if (inCommon > 0) line(prefix + "\t... " + inCommon + " more");
        for (Throwable suppressed : error.getSuppressed()) add(prefix + "\t", "Suppressed: ", suppressed, frames);
        Throwable cause = Causes.cause(error);
        if (cause != null) add(prefix, "Caused by: ", cause, frames);
    }

    private static int inCommon(StackTraceElement[] frames, StackTraceElement[] enclosing) {
        int common = 0;
        while (common < frames.length
                && common < enclosing.length
                && String.valueOf(frames[frames.length - 1 - common])
                        .equals(String.valueOf(enclosing[enclosing.length - 1 - common]))) common++;
        return common;
    }

    private void line(String line) {
        if (lines > MAX_LINES) return;
        if (!text.isEmpty()) text.append('\n');
        text.append(lines++ == MAX_LINES ? LEFT_OUT : line);
    }
}
