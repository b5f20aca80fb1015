package org.trueasync.launcher.timeline;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.TraceWriter;

/** One coroutine: its runs and its waits, one after the other. */
final class CoroutineTrack {
    private static final String RUNNING = "thread_state_running";

    private final TraceWriter trace;
    private final int process;
    private final int track;
    private final long id;

    private boolean hasRun;
    private boolean hasSpawner;
    private long wake;
    /** When its run or its wait began; the smallest number if that was before the recording. */
    private long since = Long.MIN_VALUE;

    private @Nullable String awaits;
    private @Nullable String place;

    CoroutineTrack(TraceWriter trace, int process, long id, String label) {
        this.trace = trace;
        this.process = process;
        this.id = id;
        track = trace.track(process, label);
    }

    void spawned(long time, @Nullable CoroutineTrack parent) {
        since = time;
        if (parent == null) return;
        hasSpawner = true;
        trace.arrow(true, "spawn", id, parent.process, parent.track, time);
    }

    boolean hasRun() {
        return hasRun;
    }

    /** Its wait ends, or it begins, and it runs. */
    void goesOn(long time) {
        waited(time, Map.of());
        boolean isFirst = !hasRun;
        since = Math.max(since, time);
        hasRun = true;
        if (wake != 0) trace.arrow(false, "wake", wake, process, track, since);
        wake = 0;
        if (isFirst && hasSpawner) trace.arrow(false, "spawn", id, process, track, since);
    }

    /** Its run ends. Returns when that began; the smallest number if it was before the recording. */
    long leaves(long time, Map<String, ?> arguments) {
        long from = since;
        since = time;
        if (from != Long.MIN_VALUE) trace.slice(process, track, "runs", "run", RUNNING, from, time, arguments);
        return from;
    }

    /** What it waits for, from the end of its run on. */
    void awaits(@Nullable String text, @Nullable String where) {
        awaits = text;
        place = where;
    }

    /** What woke it; an arrow shows it if that was another coroutine. */
    void woken(long time, @Nullable CoroutineTrack by, long number) {
        if (by == null || awaits == null) return;
        trace.arrow(true, "wake", number, by.process, by.track, time);
        wake = number;
    }

    /** Its wait is over, if it waits. */
    void waited(long time, Map<String, String> cut) {
        String text = awaits;
        if (text == null) return;
        awaits = null;
        WaitKind kind = WaitKind.of(text);
        var arguments = new TreeMap<>(cut);
        if (place != null) arguments.put("at", place);
        trace.slice(process, track, text, kind.category, kind.colour, since, time, arguments);
    }
}
