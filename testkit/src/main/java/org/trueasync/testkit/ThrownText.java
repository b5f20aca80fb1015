package org.trueasync.testkit;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that belongs to an error, a line for each: build servers show a failure's message only, and the reason is often further down. */
final class ThrownText {
    private static final int MOST_LINES = 50;
    private static final String[] NO_USERS = {
        "java.", "jdk.", "sun.", "org.junit.", "org.opentest4j.", "org.assertj.", "org.hamcrest."
    };

    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    private int lines;

    private ThrownText() {}

    /** What it says of itself, its place in the user's code, its causes and what was suppressed, with theirs. */
    static String of(Throwable thrown) {
        var all = new ThrownText();
        all.text.append(thrown);
        all.shown.add(thrown);
        String place = place(thrown.getStackTrace());
        if (place != null) all.text.append("\n  at ").append(place);
        all.addRelatives(thrown, "  ");
        if (all.lines > MOST_LINES)
            all.text.append("\n  and ").append(all.lines - MOST_LINES).append(" more");
        return all.text.toString();
    }

    private void addRelatives(Throwable thrown, String indent) {
        Throwable cause = thrown.getCause();
        if (cause != null) add("cause: ", cause, indent);
        for (Throwable other : thrown.getSuppressed()) add("suppressed: ", other, indent);
    }

    private void add(String role, Throwable thrown, String indent) {
        boolean isNew = shown.add(thrown);
        if (lines++ < MOST_LINES) {
            text.append('\n').append(indent).append(role);
            text.append(oneLine(thrown)).append(isNew ? "" : " (see above)");
        }
        if (isNew) addRelatives(thrown, indent + "  ");
    }

    private static String oneLine(Throwable thrown) {
        return thrown.toString().strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** The innermost frame that is neither ours nor the JDK's nor a test library's. */
    private static @Nullable String place(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) if (isUsers(frame.getClassName())) return frame.toString();
        return null;
    }

    private static boolean isUsers(String name) {
        for (String prefix : NO_USERS) if (name.startsWith(prefix)) return false;
        return !name.startsWith("org.trueasync.") || name.contains("Test");
    }
}
