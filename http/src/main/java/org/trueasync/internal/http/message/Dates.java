package org.trueasync.internal.http.message;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
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

    /** Reads a time in the form that is written today; null if it has another form, or is none. */
    public static @Nullable Instant parse(String text) {
        try {
            return ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
