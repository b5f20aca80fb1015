package org.trueasync.internal.diagnostics;

/** Counts and single lines, as a dump shows them. */
final class Texts {
    private static final int MAX_LENGTH = 200;

    private Texts() {}

    /** {@code 1 timer}, {@code 2 timers}. */
    static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** A text in one line, cut after {@link #MAX_LENGTH} characters. */
    static String line(String text) {
        String cut = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        return cut.replaceAll("\\R", " ");
    }
}
