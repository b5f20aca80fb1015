package org.trueasync.internal.http.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.eclipse.jetty.http.HttpDateTime;
import org.jspecify.annotations.Nullable;

/** Dates as HTTP writes them (RFC 9110, 5.6.7). Any thread. */
public final class Dates {
    private static final DateTimeFormatter WRITTEN = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private record Second(long second, String text) {}

    private static volatile Second last = new Second(Long.MIN_VALUE, "");

    private Dates() {}

    /** Returns the time of day, made once a second. */
    public static String now() {
        long second = System.currentTimeMillis() / 1000;
        Second known = last;
        if (known.second != second) last = known = new Second(second, text(Instant.ofEpochSecond(second)));
        return known.text;
    }

    /** Returns a time as text. */
    public static String text(Instant time) {
        return WRITTEN.format(time);
    }

    /** Reads a time in any of the three forms that HTTP has had; null if it is none. */
    public static @Nullable Instant parse(String text) {
        try {
            return HttpDateTime.parse(text.strip()).toInstant();
        } catch (IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }
}
