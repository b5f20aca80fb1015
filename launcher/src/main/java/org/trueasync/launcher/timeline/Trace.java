package org.trueasync.launcher.timeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.JsonWriter;

/**
 * Writes a trace in the JSON form of Chrome's viewer, entry by entry. Times are in nanoseconds since 1970; the trace
 * counts from its first entry. A failure to write is thrown as an {@link UncheckedIOException}.
 */
final class Trace {
    /** Where entries go that belong to no loop. */
    static final int JVM = 1;

    private final Timeline.Output output;
    private @Nullable Writer out;
    private @Nullable JsonWriter json;
    private long zero;
    private int lastProcess = JVM;
    private int lastTrack;
    private int lastSpan;

    Trace(Timeline.Output output) {
        this.output = output;
    }

    /** False until there is an entry: then the output is not even opened. */
    boolean isBegun() {
        return json != null;
    }

    /** Begins the trace, if it has not begun. */
    void begin(long time) {
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
        named("process_name", JVM, 0, "JVM");
    }

    /** Adds a group of tracks, one for each loop, and returns its number. */
    int process(String name) {
        named("process_name", ++lastProcess, 0, name);
        return lastProcess;
    }

    /** Adds a track below the earlier ones, and returns its number. */
    int track(int process, String name) {
        int track = ++lastTrack;
        named("thread_name", process, track, name);
        entry("M", "thread_sort_index", process, track, json -> arguments(json, Map.of("sort_index", track)));
        return track;
    }

    private void named(String what, int process, int track, String name) {
        entry("M", what, process, track, json -> arguments(json, Map.of("name", name)));
    }

    void slice(
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
    void span(int process, String name, String category, long from, long to, Map<String, ?> arguments) {
        int id = ++lastSpan;
        for (boolean begins : new boolean[] {true, false}) {
            entry(begins ? "b" : "e", name, process, 0, json -> {
                json.name("cat").value(category).name("id").value(id);
                time(json, begins ? from : to);
                if (begins) arguments(json, arguments);
            });
        }
    }

    void instant(int process, int track, String name, String category, long time) {
        entry("i", name, process, track, json -> {
            json.name("cat").value(category).name("s").value("t");
            time(json, time);
        });
    }

    /** One end of an arrow: it goes from the slice that is here at this time. */
    void arrow(boolean begins, String name, long id, int process, int track, long time) {
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
    void end() {
        if (json == null || out == null) return;
        try (Writer closed = out) {
            json.newLine().endArray().endObject();
            closed.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
