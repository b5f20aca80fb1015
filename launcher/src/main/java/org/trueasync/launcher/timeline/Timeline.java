package org.trueasync.launcher.timeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.TraceWriter;

/**
 * Turns a flight recording into a trace. The recording is read chunk by chunk, in the order of time, and what has been
 * written is forgotten: the memory needed is that of a chunk and of the coroutines that have not ended.
 */
public final class Timeline {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final String OURS = "org.trueasync.";

    /** What has become of a recording. */
    public enum Outcome {
        /** All of it is in the trace. */
        COMPLETE,
        /** What could be read is in the trace; then the recording breaks off. */
        CUT_OFF,
        /** There is no event of TrueAsync in it, and no trace was written. */
        NOTHING
    }

    private final TraceWriter trace;
    private final Map<String, LoopTrack> loops = new LinkedHashMap<>();
    private final Map<String, Integer> jvmTracks = new HashMap<>();
    private long latest = Long.MIN_VALUE;
    private @Nullable Throwable unread;
    private @Nullable UncheckedIOException unwritten;

    private Timeline(TraceWriter.Output output) {
        trace = new TraceWriter(output);
    }

    /**
     * Writes the trace of a recording.
     *
     * @param recording a file of the flight recorder
     * @param output where to write
     * @return what has become of it
     * @throws IOException if nothing of it can be read
     * @throws UncheckedIOException if the trace can't be written
     */
    public static Outcome write(Path recording, TraceWriter.Output output) throws IOException {
        return new Timeline(output).write(recording);
    }

    private Outcome write(Path recording) throws IOException {
        boolean isWhole = Chunks.areWhole(recording);
        try (EventStream stream = EventStream.openFile(recording)) {
            stream.onError(error -> unread = error);
            subscribe(stream);
            stream.start();
        } catch (RuntimeException damaged) {
            unread = damaged; // the JDK's reader checks little of what it reads
        }
        if (unwritten != null) throw unwritten;
        if (!trace.isBegun()) {
            // first, as where it breaks off the JDK's reader may read anything, and fails with that
            if (!isWhole) throw new IOException("it breaks off before the first event of TrueAsync", unread);
            if (unread != null) throw new IOException(String.valueOf(unread.getMessage()), unread);
            return Outcome.NOTHING;
        }
        for (LoopTrack loop : loops.values()) loop.cutOff(latest);
        trace.end();
        return unread == null && isWhole ? Outcome.COMPLETE : Outcome.CUT_OFF;
    }

    private void subscribe(EventStream stream) {
        on(stream, OURS + "CoroutineSpawn", this::spawned);
        on(stream, OURS + "CoroutineSuspend", event -> loop(event)
                .suspends(event.getLong("coroutine"), begin(event), text(event, "awaits"), place(event)));
        on(stream, OURS + "CoroutineResume", event -> loop(event).resumes(event.getLong("coroutine"), begin(event)));
        on(stream, OURS + "CoroutineEnd", this::ended);
        on(stream, OURS + "HeldLoop", this::held);
        on(stream, OURS + "PoolWait", this::waitedForPool);
        on(stream, OURS + "BreakerState", this::breakerChanged);
        on(stream, "jdk.GCPhasePause", this::paused);
    }

    private void on(EventStream stream, String name, Consumer<RecordedEvent> action) {
        stream.onEvent(name, event -> {
            if (unwritten != null) return;
            try {
                if (name.startsWith(OURS)) trace.begin(begin(event), "JVM");
                if (!trace.isBegun()) return;
                latest = Math.max(latest, end(event));
                action.accept(event);
            } catch (UncheckedIOException e) {
                unwritten = e;
                stream.close();
            }
        });
    }

    private LoopTrack loop(RecordedEvent event) {
        return loops.computeIfAbsent(text(event, "runtime"), runtime -> new LoopTrack(trace, runtime));
    }

    private void spawned(RecordedEvent event) {
        long id = event.getLong("coroutine");
        String name = event.getString("name");
        String place = event.getString("place");
        String label = "#" + id + (name == null ? "" : " '" + name + "'") + (place == null ? "" : " spawned " + place);
        loop(event).spawned(id, event.getLong("parent"), label, begin(event));
    }

    private void ended(RecordedEvent event) {
        RecordedClass error = event.getClass("error");
        loop(event)
                .ended(
                        event.getLong("coroutine"),
                        begin(event),
                        text(event, "outcome"),
                        error == null ? null : error.getName());
    }

    private void held(RecordedEvent event) {
        long time = begin(event);
        String name = text(event, "holder") + " holds the loop, " + text(event, "place");
        trace.span(
                loop(event).process,
                name,
                "held loop",
                time - event.getLong("heldSoFar"),
                time,
                Map.of("stack", text(event, "stack")));
    }

    private void waitedForPool(RecordedEvent event) {
        trace.span(
                loop(event).process,
                "wait for pool " + text(event, "pool"),
                "pool",
                begin(event),
                end(event),
                Map.of(
                        "coroutine", event.getLong("coroutine"),
                        "waiting before", event.getInt("waitingBefore"),
                        "outcome", text(event, "outcome")));
    }

    private void breakerChanged(RecordedEvent event) {
        String name = text(event, "breaker") + ": " + text(event, "from") + " to " + text(event, "to");
        trace.instant(TraceWriter.FIRST, jvmTrack("circuit breakers"), name, "breaker", begin(event), Map.of());
    }

    private void paused(RecordedEvent event) {
        trace.slice(
                TraceWriter.FIRST,
                jvmTrack("pauses of the garbage collector"),
                text(event, "name"),
                "gc",
                "black",
                begin(event),
                end(event),
                Map.of());
    }

    private int jvmTrack(String name) {
        return jvmTracks.computeIfAbsent(name, added -> trace.track(TraceWriter.FIRST, added));
    }

    /** The first place in the stack that is neither of the JDK nor of TrueAsync, if there is a stack. */
    private static @Nullable String place(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        if (stack == null) return null;
        for (RecordedFrame frame : stack.getFrames()) {
            String type = frame.getMethod().getType().getName();
            if (!type.startsWith(OURS) && !type.startsWith("java.") && !type.startsWith("jdk."))
                return type + "." + frame.getMethod().getName() + ":" + frame.getLineNumber();
        }
        return null;
    }

    private static String text(RecordedEvent event, String field) {
        return String.valueOf(event.getString(field));
    }

    private static long begin(RecordedEvent event) {
        return nanos(event.getStartTime());
    }

    private static long end(RecordedEvent event) {
        return nanos(event.getEndTime());
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * NANOS_PER_SECOND + time.getNano();
    }
}
