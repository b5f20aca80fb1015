package org.trueasync.launcher;

import org.jspecify.annotations.Nullable;

/** What errors say about themselves. Their methods are the program's code: they may throw, return nothing, or a text without end. */
final class ErrorDetails {
    private static final int LONGEST_TEXT = 8_000;

    private ErrorDetails() {}

    /** The error in one line or more, cut if it is endless; its class if it does not say. */
    static String text(Throwable error) {
        try {
            String text = error.toString();
            if (text != null) {
                return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
            }
        } catch (Throwable refused) {
            // below
        }
        return error.getClass().getName() + " (its message can't be had)";
    }

    /** The error's cause; null if it has none or does not say. */
    static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** The error's frames; none if it does not say. */
    static StackTraceElement[] frames(Throwable error) {
        try {
            StackTraceElement[] frames = error.getStackTrace();
            if (frames != null) {
                return frames;
            }
        } catch (Throwable refused) {
            // below
        }
        return new StackTraceElement[0];
    }
}
