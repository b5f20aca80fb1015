package org.trueasync.internal.grpc;

import io.grpc.Status;
import java.time.Duration;

/** The field {@code grpc-timeout}: at most eight digits and a unit. */
final class Timeouts {
    private Timeouts() {}

    static Duration parse(String text) {
        int digits = text.length() - 1;
        if (digits < 1 || digits > 8 || !text.chars().limit(digits).allMatch(c -> c >= '0' && c <= '9'))
            throw malformed(text);
        long count = Long.parseLong(text.substring(0, digits));
        return switch (text.charAt(digits)) {
            case 'n' -> Duration.ofNanos(count);
            case 'u' -> Duration.ofNanos(1_000 * count);
            case 'm' -> Duration.ofMillis(count);
            case 'S' -> Duration.ofSeconds(count);
            case 'M' -> Duration.ofMinutes(count);
            case 'H' -> Duration.ofHours(count);
            default -> throw malformed(text);
        };
    }

    /** In the smallest unit that has room for it, rounded down; at least a nanosecond. */
    static String format(Duration time) {
        if (time.compareTo(Duration.ofHours(99_999_999)) >= 0) return "99999999H";
        String units = "numSMH";
        long[] nanos = {1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L};
        for (int i = 0; i < nanos.length; i++) {
            long count = time.dividedBy(Duration.ofNanos(nanos[i]));
            if (count <= 99_999_999) return Math.max(1, count) + units.substring(i, i + 1);
        }
        throw new AssertionError(time);
    }

    private static RuntimeException malformed(String text) {
        return Status.INTERNAL
                .withDescription("grpc-timeout must be 1 to 8 digits and one of HMSmun, got '" + text + "'")
                .asRuntimeException();
    }
}
