package org.trueasync.testkit;

import java.util.List;

/**
 * Thrown if a body fails under one of the seeds of an exploration. The cause is the body's error, with its own causes
 * and suppressed errors.
 */
public final class ScheduleFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    /** The seed, for {@link Schedules#replay}. */
    private final long seed;

    ScheduleFailure(Seed seed, String which, Throwable cause, List<String> reports) {
        super(message(seed, which, cause, reports), cause);
        this.seed = seed.value();
    }

    private static String message(Seed seed, String which, Throwable cause, List<String> reports) {
        var text = new StringBuilder(which)
                .append(seed)
                .append(": ")
                .append(cause)
                .append("\nTo repeat it: Schedules.replay(")
                .append(seed.value())
                .append("L, body), or this test alone with -D")
                .append(Schedules.SEED_PROPERTY)
                .append('=')
                .append(seed.value());
        for (String report : List.copyOf(reports)) text.append("\nReported: ").append(report);
        return text.toString();
    }

    /** The seed under which the body failed; {@link Schedules#replay} repeats the run. */
    public long seed() {
        return seed;
    }
}
