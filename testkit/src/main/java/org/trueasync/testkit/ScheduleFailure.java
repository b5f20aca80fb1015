package org.trueasync.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.Trace;

/**
 * Thrown if a body fails under one of the seeds of an exploration. The message tells the last steps: who ran, what it
 * had waited for, who had woken it, and what came from outside. The cause is the body's error, with its own causes and
 * suppressed errors.
 */
public final class ScheduleFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    /** The seed, for {@link Schedules#replay}. */
    private final long seed;

    /** How many of the last steps the message has. */
    private static final int STEPS = 60;

    ScheduleFailure(Seed seed, String which, Throwable cause, List<String> reports, @Nullable Trace trace) {
        super(message(seed, which, cause, reports, trace), cause);
        this.seed = seed.value();
    }

    private static String message(
            Seed seed, String which, Throwable cause, List<String> reports, @Nullable Trace trace) {
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
        if (trace != null) addSteps(trace.events(), text);
        return text.toString();
    }

    private static void addSteps(List<Trace.Event> all, StringBuilder text) {
        int shown = Math.min(STEPS, all.size());
        if (shown == 0) return;
        text.append("\nWhat happened");
        if (shown < all.size())
            text.append(", the last ").append(shown).append(" of ").append(all.size());
        text.append(shown < all.size() ? " steps:" : ":");
        for (String line : Trace.table(all.subList(all.size() - shown, all.size())))
            text.append('\n').append(line);
    }

    /** The seed under which the body failed; {@link Schedules#replay} repeats the run. */
    public long seed() {
        return seed;
    }
}
