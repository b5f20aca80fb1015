package org.trueasync.internal.diagnostics;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Inspection.State;

/**
 * What a dump shows of one coroutine, except its number. Coroutines with equal {@link #withoutNumbers appearance} are
 * shown as one entry.
 *
 * @param what the text after the number: main, or where the coroutine was spawned, and its state
 * @param awaits what it awaits, one text for each thing that is shown
 * @param frames the frames of the program that are shown, innermost first
 */
record CoroutineView(String what, List<String> awaits, List<String> frames) {
    private static final int MAX_AWAITED = 5;
    private static final int MAX_FRAMES = 8;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    static CoroutineView at(Coroutine<?> coroutine) {
        State state = Inspection.stateOf(coroutine);
        StackTraceElement[] trace =
                state == State.RUNNING ? Thread.currentThread().getStackTrace() : coroutine.trace();
        List<String> frames = trace == null ? List.of() : programFrames(trace);
        return new CoroutineView(what(coroutine, state, trace), awaits(coroutine, state), frames);
    }

    private static String what(Coroutine<?> coroutine, State state, StackTraceElement @Nullable [] trace) {
        var text = new StringBuilder(Inspection.isMain(coroutine) ? "main" : "spawned " + coroutine.spawnLocation());
        if (coroutine.isCancellationRequested()) text.append(", cancelled");
        if (Inspection.isZombie(coroutine)) text.append(", zombie");
        if (state != State.WAITING && state != State.IN_JDK) text.append(", ").append(state.words());
        if (state != State.RUNNING && trace != null) {
            String place = CodeSites.innermost(trace);
            if (!place.equals(CodeSites.UNKNOWN)) text.append(", suspended ").append(place);
        }
        return text.toString();
    }

    private static List<String> awaits(Coroutine<?> coroutine, State state) {
        if (state != State.WAITING && state != State.IN_JDK) return List.of();
        List<String> all = coroutine.awaitingInfo();
        var shown = new ArrayList<String>();
        for (String event : all.subList(0, Math.min(all.size(), MAX_AWAITED))) shown.add(Texts.line(event));
        if (all.size() > MAX_AWAITED) shown.add((all.size() - MAX_AWAITED) + " more");
        if (all.isEmpty()) shown.add("nothing");
        return shown;
    }

    private static List<String> programFrames(StackTraceElement[] trace) {
        var frames = new ArrayList<String>();
        int omitted = 0;
        for (StackTraceElement frame : trace) {
            if (!CodeSites.isUserCode(frame)) continue;
            if (frames.size() < MAX_FRAMES) frames.add(frame.toString());
            else omitted++;
        }
        if (omitted > 0) frames.add("... " + omitted + " more");
        return frames;
    }

    /**
     * Returns a view that is equal for coroutines which differ only in numbers in what they await, of timers or
     * coroutines for instance.
     */
    CoroutineView withoutNumbers() {
        var alike = new ArrayList<String>();
        for (String awaited : awaits) alike.add(NUMBER.matcher(awaited).replaceAll("0"));
        return new CoroutineView(what, alike, frames);
    }
}
