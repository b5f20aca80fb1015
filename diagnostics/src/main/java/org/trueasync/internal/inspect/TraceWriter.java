package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace in the JSON form of Chrome's viewer, entry by entry. Times are in nanoseconds; the trace counts from
 * its first entry. A failure to write is thrown as an {@link UncheckedIOException}.
 */
public final class TraceWriter {
    /** The process that there is from the beginning. */
    public static final int FIRST = 1;

    /** Opens the output, once there is something to write. */
    public interface Output {
        /** Opens it; it is closed at the end. */
        Writer open() throws IOException;
    }

    private final Output output;
    private @Nullable Writer out;
    private @Nullable JsonWriter json;
    private long zero;
    private int lastProcess = FIRST;
    private int lastTrack;
    private int lastSpan;

    /** A trace that has not begun. */
    public TraceWriter(Output output) {
        this.output = output;
    }

    /** False until there is an entry: then the output is not even opened. */
    public boolean isBegun() {
        return json != null;
    }

    /** Begins the trace, if it has not begun, with a group of tracks of this name. */
    public void begin(long time, String name) {
        if (json != null) return;
        zero = time;
        try {
            out = output.open();
            json = new JsonWriter(out);
            json.beginObject().name("displayTimeUnit").value("ns");
            json.name("traceEvents").beginArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        named("process_name", FIRST, 0, name);
    }

    /** Adds a group of tracks, and returns its number. */
    public int process(String name) {
        named("process_name", ++lastProcess, 0, name);
        return lastProcess;
    }

    /** Adds a track below the earlier ones, and returns its number. */
    public int track(int process, String name) {
        int track = ++lastTrack;
        named("thread_name", process, track, name);
        entry("M", "thread_sort_index", process, track, json -> arguments(json, Map.of("sort_index", track)));
        return track;
    }

    private void named(String what, int process, int track, String name) {
        entry("M", what, process, track, json -> arguments(json, Map.of("name", name)));
    }

    /** Something that takes time; on a track, one is within another or beside it. */
    public void slice(
            int process,
            int track,
            String name,
            String category,
            @Nullable String colour,
            long from,
            long to,
            Map<String, ?> arguments) {
        entry("X", name, process, track, json -> {
            json.name("cat").value(category);
            if (colour != null) json.name("cname").value(colour);
            time(json, from);
            json.name("dur").micros(Math.max(0, to - Math.max(from, zero)));
            arguments(json, arguments);
        });
    }

    /** What may overlap others: the viewer finds a place for it in its process. */
    public void span(int process, String name, String category, long from, long to, Map<String, ?> arguments) {
        int id = ++lastSpan;
        for (boolean begins : new boolean[] {true, false}) {
            entry(begins ? "b" : "e", name, process, 0, json -> {
                json.name("cat").value(category).name("id").value(id);
                time(json, begins ? from : to);
                if (begins) arguments(json, arguments);
            });
        }
    }

    /** Something that takes no time. */
    public void instant(int process, int track, String name, String category, long time, Map<String, ?> arguments) {
        entry("i", name, process, track, json -> {
            json.name("cat").value(category).name("s").value("t");
            time(json, time);
            arguments(json, arguments);
        });
    }

    /** One end of an arrow: it goes from the slice that is here at this time. */
    public void arrow(boolean begins, String name, long id, int process, int track, long time) {
        entry(begins ? "s" : "f", name, process, track, json -> {
            json.name("cat").value("spawn").name("id").value(id);
            if (!begins) json.name("bp").value("e");
            time(json, time);
        });
    }

    private interface Fields {
        void write(JsonWriter json) throws IOException;
    }

    private void entry(String phase, String name, int process, int track, Fields fields) {
        if (json == null) throw new IllegalStateException("not begun");
        try {
            json.newLine().beginObject();
            json.name("ph").value(phase).name("name").value(name);
            json.name("pid").value(process).name("tid").value(track);
            fields.write(json);
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void time(JsonWriter json, long time) throws IOException {
        json.name("ts").micros(Math.max(0, time - zero));
    }

    private static void arguments(JsonWriter json, Map<String, ?> arguments) throws IOException {
        json.name("args").beginObject();
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            json.name(argument.getKey());
            if (argument.getValue() instanceof Number number) json.value(number.longValue());
            else json.value(String.valueOf(argument.getValue()));
        }
        json.endObject();
    }

    /** Ends the text, and closes the output. */
    public void end() {
        if (json == null || out == null) return;
        try (Writer closed = out) {
            json.newLine().endArray().endObject();
            closed.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
