package org.trueasync.launcher.timeline;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.blackbox.RecordFile;
import org.trueasync.internal.inspect.TraceWriter;

/** Turns the text of a black box into a trace; {@link RecordFile} describes the text. */
public final class BlackBoxTimeline {
    private final TraceWriter trace;
    private final List<LoopTrack> loops = new ArrayList<>();
    private @Nullable LoopTrack loop;
    private long latest = Long.MIN_VALUE;
    private int pauses;

    private BlackBoxTimeline(TraceWriter.Output output) {
        trace = new TraceWriter(output);
    }

    /** True if a file begins as a black box's text does. */
    public static boolean isOne(Path file) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            var begin = new char[RecordFile.HEAD.length()];
            return in.read(begin) == begin.length && new String(begin).equals(RecordFile.HEAD);
        }
    }

    /**
     * Writes the trace of a black box.
     *
     * @param record the file
     * @param output where to write
     * @return whether it is complete
     * @throws IOException if it can't be read
     * @throws java.io.UncheckedIOException if the trace can't be written
     */
    public static Timeline.Outcome write(Path record, TraceWriter.Output output) throws IOException {
        return new BlackBoxTimeline(output).write(record);
    }

    private Timeline.Outcome write(Path record) throws IOException {
        long earliest = earliest(record);
        boolean isWhole = false;
        try (BufferedReader in = Files.newBufferedReader(record)) {
            requireVersion(in.readLine());
            trace.begin(earliest, "JVM");
            String line;
            while (!isWhole && (line = in.readLine()) != null) {
                String[] fields = line.split("\t", -1);
                isWhole = fields[0].equals("complete");
                if (!isWhole) take(fields);
            }
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException | MalformedInputException breaksOff) {
            // in the middle of a line
        }
        for (LoopTrack each : loops) each.cutOff(Math.max(0, latest));
        trace.end();
        return isWhole ? Timeline.Outcome.COMPLETE : Timeline.Outcome.CUT_OFF;
    }

    private static void requireVersion(@Nullable String head) throws IOException {
        String begin = RecordFile.HEAD + ' ' + RecordFile.VERSION + '\t';
        if (head == null || !head.startsWith(begin))
            throw new IOException("it is of another version; use the trueasync command of its own version");
    }

    /** The viewer's zero: a loop may have recorded for longer than another one. */
    private static long earliest(Path record) throws IOException {
        try (var lines = Files.lines(record)) {
            return lines.map(line -> line.split("\t", 3))
                    .filter(fields -> fields.length > 1 && fields[1].matches("-\\d{1,18}"))
                    .mapToLong(fields -> Long.parseLong(fields[1]))
                    .min()
                    .orElse(0);
        } catch (java.io.UncheckedIOException e) {
            throw new IOException("it is no text", e);
        }
    }

    private void take(String[] fields) {
        switch (fields[0]) {
            case "pause" -> pause(time(fields[1]), time(fields[2]), fields[3]);
            case "runtime" -> loop = begin(fields[1]);
            default -> {
                if (loop != null) take(fields, loop);
            }
        }
    }

    private void take(String[] fields, LoopTrack into) {
        switch (fields[0]) {
            case "known" -> into.known(id(fields[1]), fields[2], fields[3]);
            case "held" -> span(into, fields, "held loop", fields[3] + " holds the loop", Map.of("stack", fields[4]));
            case "request" -> span(into, fields, "request", fields[3], Map.of("time", fields[4]));
            case "spawn" ->
                into.spawned(
                        id(fields[2]),
                        id(fields[3]),
                        "#" + fields[2] + (fields[4].isEmpty() ? "" : " " + fields[4]),
                        reach(fields[1]));
            case "run" -> into.resumes(id(fields[2]), reach(fields[1]));
            case "leave" -> into.suspends(id(fields[2]), reach(fields[1]), "a short wait", null);
            case "park" -> into.awaits(id(fields[1]), fields[2]);
            case "wake" -> into.woken(id(fields[2]), id(fields[3]), fields[4], reach(fields[1]));
            case "end" -> into.ended(id(fields[2]), reach(fields[1]), fields[3], null);
            default -> {}
        }
    }

    private LoopTrack begin(String runtime) {
        var added = new LoopTrack(trace, runtime);
        loops.add(added);
        return added;
    }

    private void pause(long from, long to, String what) {
        trace.slice(TraceWriter.FIRST, pauses(), what, "gc", null, from, to, Map.of());
    }

    private int pauses() {
        if (pauses == 0) pauses = trace.track(TraceWriter.FIRST, "pauses of the garbage collector");
        return pauses;
    }

    private void span(LoopTrack into, String[] fields, String category, String name, Map<String, String> arguments) {
        trace.span(into.process, name, category, time(fields[1]), time(fields[2]), arguments);
    }

    private static long id(String field) {
        return Long.parseLong(field);
    }

    private static long time(String field) {
        return Long.parseLong(field);
    }

    private long reach(String field) {
        long time = Long.parseLong(field);
        latest = Math.max(latest, time);
        return time;
    }
}
