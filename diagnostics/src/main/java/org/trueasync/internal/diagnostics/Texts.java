package org.trueasync.internal.diagnostics;

import java.util.Locale;
import java.util.regex.Pattern;
import org.trueasync.internal.error.Names;

/** Counts and single lines, as a dump shows them. */
public final class Texts {
    private static final int MAX_LENGTH = 200;
    private static final Pattern LINE_BREAK = Pattern.compile("\\R");

    private Texts() {}

    /** {@code 1 timer}, {@code 2 timers}. */
    public static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** A time, to be read: {@code 250 ms}, {@code 3.1 s}, {@code 12 min 5 s}, {@code 3 h 12 min}. */
    public static String time(long nanos) {
        long millis = Math.max(0, nanos) / 1_000_000;
        if (millis < 1_000) return millis + " ms";
        if (millis < 60_000) return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        long seconds = millis / 1_000;
        if (seconds < 3_600) return seconds / 60 + " min " + seconds % 60 + " s";
        return seconds / 3_600 + " h " + seconds / 60 % 60 + " min";
    }

    /** The times from one to another. */
    static String span(long shortest, long longest) {
        String least = time(shortest);
        String most = time(longest);
        return least.equals(most) ? most : least + " to " + most;
    }

    /** A text in one line that a terminal shows as it is, cut after {@link #MAX_LENGTH} characters. */
    public static String line(String text) {
        String cut = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        return Names.plain(LINE_BREAK.matcher(cut).replaceAll(" "));
    }
}
