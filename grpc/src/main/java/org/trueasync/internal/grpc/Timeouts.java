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

    private static RuntimeException malformed(String text) {
        return Status.INTERNAL
                .withDescription("grpc-timeout must be 1 to 8 digits and one of HMSmun, got '" + text + "'")
                .asRuntimeException();
    }
}
