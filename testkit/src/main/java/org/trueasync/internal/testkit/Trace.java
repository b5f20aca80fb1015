package org.trueasync.internal.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has happened in a {@link World}: always as one number, which two runs of a seed share, and as lines if it is
 * recorded.
 */
public final class Trace {
    /** How many of the last lines are kept. */
    private static final int MAX_LINES = 100_000;
    /** How many are there without a record too. */
    private static final int LAST = 32;

    private record Happened(long time, String where, String what, Object about, long number) {
        @Override
        public String toString() {
            String size = number < 0 ? "" : " " + number + " B";
            return String.format(Locale.ROOT, "%12s  %-10s %s %s%s", shown(time), where, what, about, size)
                    .stripTrailing();
        }
    }

    private final boolean recorded;
    private final List<String> lines = new ArrayList<>(0);
    private long digest = 17;
    private final @Nullable Happened[] last = new Happened[LAST];
    private int count;

    /**
     * An empty trace.
     *
     * @param recorded whether lines are kept
     */
    public Trace(boolean recorded) {
        this.recorded = recorded;
    }

    /**
     * Adds what has happened.
     *
     * @param time in nanoseconds
     * @param where the host, or what else it has happened to
     * @param what a few words
     * @param about the rest of the line; its text is taken at once, if at all
     * @param number of the rest, such as a size; negative for none
     */
    public void add(long time, String where, String what, Object about, long number) {
        digest = ((digest * 31 + time) * 31 + where.hashCode()) * 31 + what.hashCode() + number;
        var happened = new Happened(time, where, what, about, number);
        last[count++ % LAST] = happened;
        if (recorded && lines.size() < MAX_LINES) lines.add(happened.toString());
    }

    /** A time as the lines show it. */
    public static String shown(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        return time.toSeconds() + "." + String.format(Locale.ROOT, "%06d", time.toNanosPart() / 1_000) + " s";
    }

    /** A number that is different for most other runs. */
    public long digest() {
        return digest;
    }

    /** The last lines, also of a run that goes on and is not recorded. Any thread. */
    public List<String> last() {
        return Stream.of(last.clone())
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(Happened::time))
                .map(Happened::toString)
                .toList();
    }

    /** The lines, the oldest first; empty if it is not recorded. */
    public List<String> lines() {
        return lines;
    }
}
