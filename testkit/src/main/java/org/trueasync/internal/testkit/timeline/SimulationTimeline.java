package org.trueasync.internal.testkit.timeline;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.TraceWriter;
import org.trueasync.internal.testkit.Trace;

/**
 * Writes what has happened in a simulation as a trace, in virtual time: a track for each host, with the times in which
 * it was up, down or stood still, and what it did; and the faults.
 */
public final class SimulationTimeline {
    private static final String FAULT = "fault";
    private static final String BEGINS = "begins: ";
    private static final String ENDS = "ends: ";

    private final TraceWriter trace;
    private final Map<String, Track> tracks = new LinkedHashMap<>();
    /** By their texts, when those began that have not ended. */
    private final Map<String, Long> faults = new LinkedHashMap<>();

    /** What goes on on a track, the longest first. */
    private static final class Track {
        final int number;
        /** Whether it runs; null before its first event. */
        @Nullable
        String state;

        long since;
        /** When it began to stand still, or negative. */
        long still = -1;

        Track(int number) {
            this.number = number;
        }
    }

    private SimulationTimeline(TraceWriter trace) {
        this.trace = trace;
    }

    /**
     * Writes a file.
     *
     * @param file is replaced
     * @param name of the whole
     * @param events the oldest first
     * @throws java.io.UncheckedIOException if it can't be written
     */
    public static void write(Path file, String name, List<Trace.Event> events) {
        var timeline = new SimulationTimeline(new TraceWriter(() -> Files.newBufferedWriter(file)));
        timeline.trace.begin(0, name);
        events.forEach(timeline::add);
        timeline.end(events.isEmpty() ? 0 : events.getLast().time());
    }

    private void add(Trace.Event event) {
        long time = event.time();
        if (event.where().equals(FAULT) && event.what().startsWith(BEGINS)) {
            faults.put(event.what().substring(BEGINS.length()), time);
            return;
        }
        if (event.where().equals(FAULT) && event.what().startsWith(ENDS)) {
            String text = event.what().substring(ENDS.length());
            Long begin = faults.remove(text);
            if (begin != null) fault(text, begin, time);
            return;
        }
        Track track = tracks.computeIfAbsent(event.where(), name -> new Track(trace.track(TraceWriter.FIRST, name)));
        switch (event.what()) {
            case "begins" -> turn(track, "up", time);
            case "is killed" -> turn(track, "has no power", time);
            case "ends" -> turn(track, "has ended", time);
            case "stands still" -> track.still = time;
            case "goes on" -> goOn(track, time);
            default ->
                trace.instant(
                        TraceWriter.FIRST,
                        track.number,
                        event.what(),
                        event.where(),
                        time,
                        event.place().isEmpty() ? Map.of() : Map.of("line of code", event.place()));
        }
    }

    private void fault(String text, long from, long to) {
        trace.span(TraceWriter.FIRST, text, FAULT, from, to, Map.of());
    }

    private void turn(Track track, String state, long time) {
        goOn(track, time);
        if (track.state != null) slice(track, track.state, track.since, time);
        track.state = state;
        track.since = time;
    }

    private void goOn(Track track, long time) {
        if (track.still >= 0) slice(track, "stands still", track.still, time);
        track.still = -1;
    }

    private void slice(Track track, String state, long from, long to) {
        String colour =
                switch (state) {
                    case "up" -> "good";
                    case "stands still" -> "bad";
                    default -> "terrible";
                };
        trace.slice(TraceWriter.FIRST, track.number, state, "host", colour, from, to, Map.of());
    }

    private void end(long time) {
        for (Track track : tracks.values()) if (track.state != null) turn(track, "over", time);
        faults.forEach((text, begin) -> fault(text, begin, time));
        trace.end();
    }
}
