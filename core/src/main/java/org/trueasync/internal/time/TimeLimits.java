package org.trueasync.internal.time;

import java.time.Duration;
import java.util.Objects;

/**
 * The one rule for the times that users give. A limit of one wait is 0 or more: with 0 the call tries once and does not wait. A negative one is refused, as it is most
 * likely a mistake in somebody's sum, and one that is longer than a clock can hold never ends. What needs a time above 0 says so.
 */
public final class TimeLimits {
    /** Sums of it and what a clock shows do not overflow. */
    private static final Duration LONGEST = Duration.ofNanos(TimerHeap.LONGEST);

    private TimeLimits() {}

    /**
     * A time that is 0 or more; at most 73 years of it, so that it fits into nanoseconds.
     *
     * @param time given by the user
     * @param name what it is called
     * @throws IllegalArgumentException if it is negative
     */
    public static Duration notNegative(Duration time, String name) {
        if (Objects.requireNonNull(time, name).isNegative()) throw refused(time, name, ">= 0");
        return bounded(time);
    }

    /**
     * A time that is more than 0; at most 73 years of it.
     *
     * @param time given by the user
     * @param name what it is called
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
