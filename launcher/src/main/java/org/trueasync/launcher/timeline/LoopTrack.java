package org.trueasync.launcher.timeline;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.TraceWriter;

/**
 * One loop: when it was busy, and its coroutines. One thread runs all of them, so what one coroutine does tells that no
 * other runs. That fills in what is not recorded: when a coroutine begins, and some of the waits in JDK code. Times
 * that go back, as they may from chunk to chunk, count as equal.
 */
final class LoopTrack {
    /** In nanoseconds. What is shorter between two runs is the switch, and the recording of it. */
    private static final long PAUSE = 100_000;

    private final TraceWriter trace;
    final int process;
    private final int track;
    private final Map<Long, CoroutineTrack> coroutines = new HashMap<>();

    /** The last moment of which something is known; the loop was free for another coroutine then. */
    private long latest = Long.MIN_VALUE;

    private @Nullable CoroutineTrack running;
    private long busySince = Long.MIN_VALUE;
    private long busyUntil = Long.MIN_VALUE;
    private long runs;
    private long wakes;
    private final Map<Long, String> lastAwaits = new HashMap<>();

    LoopTrack(TraceWriter trace, String runtime) {
        this.trace = trace;
        process = trace.process("loop of " + runtime);
        track = trace.track(process, "the loop is busy");
    }

    private CoroutineTrack coroutine(long id) {
        CoroutineTrack known = coroutines.get(id);
        if (known != null) return known;
        var added = new CoroutineTrack(trace, process, id, "#" + id);
        coroutines.put(id, added);
        return added;
    }

    void spawned(long id, long parent, String label, long at) {
        CoroutineTrack spawner = parent == 0 ? null : coroutine(parent);
        if (spawner != null) runs(spawner);
        long time = reach(at);
        var added = new CoroutineTrack(trace, process, id, label);
        coroutines.put(id, added);
        added.spawned(time, spawner);
    }

    void suspends(long id, long at, String awaits, @Nullable String place) {
        CoroutineTrack coroutine = coroutine(id);
        runs(coroutine);
        leaves(coroutine, reach(at), Map.of());
        coroutine.awaits(awaits, place);
    }

    /** One that has not ended, and what it awaits now, or "". */
    void known(long id, String label, String awaits) {
        coroutines.put(id, new CoroutineTrack(trace, process, id, label));
        if (!awaits.isEmpty()) lastAwaits.put(id, awaits);
    }

    /** It has suspended, and awaits this. */
    void awaits(long id, String text) {
        CoroutineTrack known = coroutines.get(id);
        if (known != null && known != running) known.awaits(text, null);
    }

    /** It was woken by another one, or by the loop (0), and had awaited this. */
    void woken(long id, long by, String text, long at) {
        CoroutineTrack coroutine = coroutine(id);
        if (coroutine == running) return;
        coroutine.awaits(text, null);
        coroutine.woken(at, by == 0 ? null : coroutine(by), ++wakes << 32 | id);
    }

    void resumes(long id, long at) {
        leaves();
        CoroutineTrack coroutine = coroutine(id);
        coroutine.goesOn(reach(at));
        running = coroutine;
    }

    void ended(long id, long at, String outcome, @Nullable String error) {
        CoroutineTrack coroutine = coroutine(id);
        coroutines.remove(id);
        // a coroutine that is cancelled before it begins ends in the run of another
        if (!coroutine.hasRun() && outcome.equals("cancelled")) return;
        runs(coroutine);
        leaves(
                coroutine,
                reach(at),
                error == null ? Map.of("outcome", outcome) : Map.of("outcome", outcome, "error", error));
    }

    /** It runs now, whether it was recorded that it goes on or not. */
    private void runs(CoroutineTrack coroutine) {
        if (running == coroutine) return;
        leaves();
        coroutine.goesOn(latest);
        running = coroutine;
    }

    /** Whoever seems to run has left the thread, and no event tells that: in JDK code. */
    private void leaves() {
        CoroutineTrack left = running;
        if (left == null) return;
        leaves(left, latest, Map.of());
        left.awaits("JDK code", null);
    }

    private void leaves(CoroutineTrack coroutine, long time, Map<String, ?> arguments) {
        running = null;
        long since = coroutine.leaves(time, arguments);
        if (since != Long.MIN_VALUE) wasBusy(since, time);
    }

    private void wasBusy(long from, long to) {
        if (busySince == Long.MIN_VALUE || from - busyUntil > PAUSE) {
            busyEnds();
            busySince = from;
        }
        busyUntil = to;
        runs++;
    }

    private void busyEnds() {
        if (runs > 0) trace.slice(process, track, "busy", "loop", "good", busySince, busyUntil, Map.of("runs", runs));
        runs = 0;
    }

    private long reach(long time) {
        latest = Math.max(latest, time);
        return latest;
    }

    /** The recording is over. */
    void cutOff(long time) {
        long end = reach(time);
        var cut = Map.of("cut", "off by the end of the recording");
        if (running != null) leaves(running, end, cut);
        lastAwaits.forEach(this::awaits);
        for (CoroutineTrack coroutine : coroutines.values()) coroutine.waited(end, cut);
        busyEnds();
    }
}
