package org.trueasync.launcher;

import org.jspecify.annotations.Nullable;

/**
 * Reads the properties of errors. Their methods may be the program's code: they may throw, return null, or return a
 * very long text.
 */
final class ErrorDetails {
    private static final int MAX_TEXT_LENGTH = 8_000;
    private static final int MAX_CAUSES = 100;

    private ErrorDetails() {}

    /**
     * The error's text, in one line or more, cut at {@link #MAX_TEXT_LENGTH} characters; its class name if there is no
     * text or its method fails.
     */
    static String text(Throwable error) {
        try {
            String text = error.toString();
            if (text != null) {
                return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH) + "...";
            }
        } catch (Throwable refused) {
            // see below
        }
        return error.getClass().getName() + " (its message can't be had)";
    }

    /** The error's cause; null if it has none or its method fails. */
    static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable refused) {
            return null;
        }
    }

    /** The last cause in the chain of causes, or the one where the search stops after {@link #MAX_CAUSES}. */
    static Throwable rootCause(Throwable error) {
        Throwable root = error;
        for (int i = 0; i < MAX_CAUSES; i++) {
            Throwable cause = cause(root);
            if (cause == null) break;
            root = cause;
        }
        return root;
    }

    /** The error's frames; none if its method fails. */
    static StackTraceElement[] frames(Throwable error) {
        try {
            StackTraceElement[] frames = error.getStackTrace();
            if (frames != null) {
                return frames;
            }
        } catch (Throwable refused) {
            // see below
        }
        return new StackTraceElement[0];
    }
}
