package org.trueasync.testkit;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of an error with its causes and suppressed errors, one per line and at most 50 of them, because build
 * servers often show only a failure's message.
 */
final class ThrownText {
    private static final int MAX_LINES = 50;
    private static final String[] NO_USERS = {
        "java.", "jdk.", "sun.", "org.junit.", "org.opentest4j.", "org.assertj.", "org.hamcrest."
    };

    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    private int lines;

    private ThrownText() {}

    /**
     * Returns the error's text and its place in the user's code, then its causes and suppressed errors, recursively.
     */
    static String of(Throwable thrown) {
        var all = new ThrownText();
        all.text.append(thrown);
        all.shown.add(thrown);
        String place = place(thrown.getStackTrace());
        if (place != null) all.text.append("\n  at ").append(place);
        all.addRelatives(thrown, "  ");
        if (all.lines > MAX_LINES)
            all.text.append("\n  and ").append(all.lines - MAX_LINES).append(" more");
        return all.text.toString();
    }

    private void addRelatives(Throwable thrown, String indent) {
        Throwable cause = thrown.getCause();
        if (cause != null) add("cause: ", cause, indent);
        for (Throwable other : thrown.getSuppressed()) add("suppressed: ", other, indent);
    }

    private void add(String role, Throwable thrown, String indent) {
        boolean isNew = shown.add(thrown);
        if (lines++ < MAX_LINES) {
            text.append('\n').append(indent).append(role);
            text.append(oneLine(thrown)).append(isNew ? "" : " (see above)");
        }
        if (isNew) addRelatives(thrown, indent + "  ");
    }

    private static String oneLine(Throwable thrown) {
        return thrown.toString().strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /**
     * The innermost frame that belongs neither to TrueAsync nor to the JDK or a test library; null if there is none.
     */
    private static @Nullable String place(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) if (isUsers(frame.getClassName())) return frame.toString();
        return null;
    }

    private static boolean isUsers(String name) {
        for (String prefix : NO_USERS) if (name.startsWith(prefix)) return false;
        return !name.startsWith("org.trueasync.") || name.contains("Test");
    }
}
