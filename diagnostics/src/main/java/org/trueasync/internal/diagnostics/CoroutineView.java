package org.trueasync.internal.diagnostics;

import java.util.ArrayList;
import java.util.List;
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
 * @param suspended where it is suspended; null if that is not known
 * @param awaits what it awaits, one text for each thing that is shown
 * @param frames see {@link ProgramFrames#shown}
 */
public record CoroutineView(String what, @Nullable String suspended, List<String> awaits, List<String> frames) {
    private static final int MAX_AWAITED = 5;

    /** What it shows now. Loop thread. */
    public static CoroutineView at(Coroutine<?> coroutine) {
        State state = Inspection.stateOf(coroutine);
        List<StackTraceElement> frames = state == State.RUNNING
                ? CodeSites.userFrames(Thread.currentThread().getStackTrace())
                : Inspection.userFrames(coroutine);
        String suspended =
                state == State.RUNNING || frames.isEmpty() ? null : CodeSites.site(ProgramFrames.innermost(frames));
        return new CoroutineView(
                what(coroutine, state), suspended, awaits(coroutine, state), ProgramFrames.shown(frames));
    }

    private static String what(Coroutine<?> coroutine, State state) {
        var text = new StringBuilder(Inspection.isMain(coroutine) ? "main" : "spawned " + coroutine.spawnLocation());
        if (coroutine.isCancellationRequested()) text.append(", cancelled");
        if (Inspection.isZombie(coroutine)) text.append(", zombie");
        if (state != State.WAITING && state != State.IN_JDK) text.append(", ").append(state.words());
        return text.toString();
    }

    /** All but the frames, in a line. */
    public String line() {
        return what
                + (suspended == null ? "" : ", suspended " + suspended)
                + (awaits.isEmpty() ? "" : ", awaits " + String.join("; ", awaits));
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

    /**
     * Says for how long it is as it is.
     *
     * @param time since its last turn began
     */
    public String since(String time) {
        return awaits.isEmpty() ? "its last turn began " + time + " ago" : "waiting for " + time;
    }

    /**
     * Returns a view that is equal for coroutines which differ only in numbers in what they await, of timers or
     * coroutines for instance.
     */
    public CoroutineView withoutNumbers() {
        var alike = new ArrayList<String>();
        for (String awaited : awaits) alike.add(withoutNumbers(awaited));
        return new CoroutineView(what, suspended, alike, frames);
    }

    /** Not by a regular expression: it is asked for each coroutine of a dump. */
    private static String withoutNumbers(String text) {
        var alike = new StringBuilder(text.length());
        boolean inNumber = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isDigit = c >= '0' && c <= '9';
            if (!isDigit) alike.append(c);
            else if (!inNumber) alike.append('0');
            inNumber = isDigit;
        }
        return alike.toString();
    }
}
