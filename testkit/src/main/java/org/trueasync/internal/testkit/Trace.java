package org.trueasync.internal.testkit;

import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;

/**
 * What has happened in a {@link World}: always as one number, which two runs of a seed share, and as events if it is
 * recorded.
 */
public final class Trace {
    /** How many of the last events are kept. */
    private static final int MAX_EVENTS = 100_000;

    /** How many are there without a record too. */
    private static final int LAST = 32;

    /** What is longer is not padded to. */
    private static final int WIDEST = 80;

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** Assertions throw from their own code. */
    private static final List<String> ASSERTIONS = List.of("org.junit.", "org.opentest4j.", "org.assertj.");

    /**
     * What has happened.
     *
     * @param time in nanoseconds
     * @param where the host, or what else it has happened to
     * @param what in words, one line or more
     * @param place the line of code, {@code File.java:12}; empty if none is known
     */
    public record Event(long time, String where, String what, String place) {}

    /** An event of a run that may not be recorded: its text is taken when somebody asks. */
    private record Happened(long time, String where, String what, Object about, long number) {
        Event event(String place) {
            String size = number < 0 ? "" : " " + number + " B";
            return new Event(time, where, (what + " " + about + size).strip(), place);
        }
    }

    private final boolean recorded;
    private final ArrayDeque<Event> events = new ArrayDeque<>(0);
    private String cause = "";
    private long digest = 17;
    private final @Nullable Happened[] last = new Happened[LAST];
    private int count;

    /**
     * An empty trace.
     *
     * @param recorded whether events are kept
     */
    public Trace(boolean recorded) {
        this.recorded = recorded;
    }

    /** Adds what the caller does; see {@link #add(long, String, String, Object, long, String)}. */
    public void add(long time, String where, String what, Object about, long number) {
        add(time, where, what, about, number, place());
    }

    /**
     * Adds what has happened.
     *
     * @param time in nanoseconds
     * @param where the host, or what else it has happened to
     * @param what a few words
     * @param about the rest of the line; its text is taken at once if the run is recorded, and else by {@link #last}
     * @param number of the rest, such as a size; negative for none
     * @param place as {@link #place} has given it
     */
    public void add(long time, String where, String what, Object about, long number, String place) {
        digest = ((digest * 31 + time) * 31 + where.hashCode()) * 31 + what.hashCode() + number;
        var happened = new Happened(time, where, what, about, number);
        last[count++ % LAST] = happened;
        if (!recorded) return;
        if (events.size() == MAX_EVENTS) events.removeFirst();
        events.add(happened.event(place));
    }

    // ---- lines of code

    /** The innermost line of the program that calls; empty if there is none, or nothing is recorded. */
    public String place() {
        if (!recorded) return "";
        String caller = innermost(CodeSites.userFrames(WALKER));
        return caller.isEmpty() ? cause : caller;
    }

    /** The innermost line of the program where an error was thrown, as {@link #place}. */
    public String place(Throwable thrown) {
        if (!recorded) return "";
        String thrower = innermost(CodeSites.userFrames(thrown.getStackTrace()));
        Throwable below = thrown.getCause();
        return !thrower.isEmpty() || below == null ? thrower : place(below);
    }

    private static String innermost(List<StackTraceElement> frames) {
        for (StackTraceElement frame : frames) {
            String type = frame.getClassName();
            if (ASSERTIONS.stream().noneMatch(type::startsWith) && !isOurs(type)) return CodeSites.site(frame);
        }
        return "";
    }

    /** For tests, which take the test kit from a jar that is no module. */
    private static boolean isOurs(String type) {
        if (!type.startsWith("org.trueasync.")) return false;
        try {
            CodeSource place = Class.forName(type).getProtectionDomain().getCodeSource();
            return Objects.equals(place, Trace.class.getProtectionDomain().getCodeSource());
        } catch (ClassNotFoundException hidden) {
            return false;
        }
    }

    /** What the caller causes to happen later: what it adds has the caller's line of code. */
    public Runnable caused(Runnable event) {
        if (!recorded) return event;
        String place = place();
        return () -> {
            cause = place;
            try {
                event.run();
            } finally {
                cause = "";
            }
        };
    }

    // ---- what is told

    /** A time as the lines show it. */
    public static String shown(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        return time.toSeconds() + "." + String.format(Locale.ROOT, "%06d", time.toNanosPart() / 1_000) + " s";
    }

    /** A number that is different for most other runs. */
    public long digest() {
        return digest;
    }

    /** The last events, also of a run that goes on and is not recorded. Any thread. */
    public List<Event> last() {
        return Stream.of(last.clone())
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(Happened::time))
                .map(happened -> happened.event(""))
                .toList();
    }

    /** The events, the oldest first; empty if it is not recorded. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    /**
     * Events as a table: when, where, what, and the line of code.
     *
     * @return a line or more for each event
     */
    public static List<String> table(List<Event> events) {
        int where = 0;
        int what = 0;
        for (Event event : events) {
            where = Math.max(where, event.where.length());
            if (event.place.isEmpty()) continue;
            int width = firstLine(event.what).length();
            if (width <= WIDEST) what = Math.max(what, width);
        }
        String format = "%12s  %-" + Math.max(1, where) + "s  %-" + Math.max(1, what) + "s  %s";
        var lines = new ArrayList<String>(events.size());
        for (Event event : events) {
            String first = firstLine(event.what);
            String line = String.format(Locale.ROOT, format, shown(event.time), event.where, first, event.place);
            String more = event.what.substring(first.length());
            lines.add(line.stripTrailing() + more.replace("\n", "\n" + " ".repeat(16 + where)));
        }
        return lines;
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
