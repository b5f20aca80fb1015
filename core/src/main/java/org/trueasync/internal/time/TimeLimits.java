package org.trueasync.internal.time;

import java.time.Duration;
import java.util.Objects;

/**
 * The one rule for times that users give. The limit of one wait is 0 or more; with 0 the call tries once and does not
 * wait. A negative limit is refused, as it is most likely a mistake in a computation. A limit that is longer than a
 * clock can hold is cut to 73 years. Calls that need a time above 0 say so.
 */
public final class TimeLimits {
    /** The longest time. Its sum with a clock's time does not overflow. */
    private static final Duration LONGEST = Duration.ofNanos(TimerHeap.LONGEST);

    private TimeLimits() {}

    /**
     * Checks a time that may be 0, and shortens it to at most 73 years, so that it fits into nanoseconds.
     *
     * @param time the user's time
     * @param name its name, for messages
     * @throws IllegalArgumentException if it is negative
     */
    public static Duration notNegative(Duration time, String name) {
        if (Objects.requireNonNull(time, name).isNegative()) throw refused(time, name, ">= 0");
        return bounded(time);
    }

    /**
     * Checks a time that must be above 0, and shortens it to at most 73 years.
     *
     * @param time the user's time
     * @param name its name, for messages
     * @throws IllegalArgumentException if it is 0 or negative
     */
    public static Duration positive(Duration time, String name) {
        if (!Objects.requireNonNull(time, name).isPositive()) throw refused(time, name, "> 0");
        return bounded(time);
    }

    private static Duration bounded(Duration time) {
        return time.compareTo(LONGEST) < 0 ? time : LONGEST;
    }

    private static IllegalArgumentException refused(Duration time, String name, String range) {
        return new IllegalArgumentException(name + " must be " + range + " ms, got " + TimerHeap.inMillis(time));
    }
}
