package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * A loop that was found held.
 *
 * @param loop the runtime's name
 * @param holder whose code it is, for a person to read
 * @param stack of the thread that holds it, innermost frame first, down to the program's outermost
 * @param soFar for how long, at least
 */
record HeldLoop(String loop, String holder, List<StackTraceElement> stack, Duration soFar) {
    private static final int USER_FRAMES_OF_A_PLACE = 3;
    private static final int MOST_FRAMES = 40;

    /**
     * What was found.
     *
     * @param loop the runtime's name
     * @param coroutine in whose place the code runs; null for the loop's own frame and guests
     * @param stack the whole of it
     * @param soFar for how long, at least
     */
    static HeldLoop of(String loop, @Nullable CoroutineImpl<?> coroutine, StackTraceElement[] stack, Duration soFar) {
        return new HeldLoop(loop, holder(coroutine, stack), programsPart(stack), soFar);
    }

    private static String holder(@Nullable CoroutineImpl<?> coroutine, StackTraceElement[] stack) {
        String name = coroutine == null ? null : LoopProbe.nameOf(coroutine);
        String place = name == null ? "" : " in the place of " + name;
        if (passes(stack, "org.trueasync.spi.MicrotaskQueue", "drain")) return "a microtask" + place;
        if (passes(stack, "org.trueasync.internal.kernel.SwitchHandlerList", "run")) return "a switch handler" + place;
        if (coroutine == null) return "a callback, or a virtual thread that is no coroutine";
        return name == null ? "a report, or another job of the runtime's own" : name;
    }

    private static boolean passes(StackTraceElement[] stack, String className, String method) {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getClassName().equals(className)
                        && frame.getMethodName().equals(method));
    }

    /** Without what every coroutine begins with, and without the command's way to main. */
    private static List<StackTraceElement> programsPart(StackTraceElement[] stack) {
        int end = stack.length;
        while (end > 0 && !isProgram(stack[end - 1])) end--;
        return List.of(stack).subList(0, end == 0 ? stack.length : end);
    }

    private static boolean isProgram(StackTraceElement frame) {
        String name = frame.getClassName();
        return LoopProbe.isUserCode(name) && !name.startsWith("org.trueasync.launcher.");
    }

    /**
     * What reports are told apart by: the innermost frames of the program. In code that computes without end their lines differ from look to look, so they
     * count only where the program waits inside something else.
     */
    String place() {
        boolean waits = stack.getFirst().isNativeMethod();
        var place = new ArrayList<String>();
        for (StackTraceElement frame : stack) {
            if (!isProgram(frame)) continue;
            place.add(frame.getClassName() + "." + frame.getMethodName() + (waits ? ":" + frame.getLineNumber() : ""));
            if (place.size() == USER_FRAMES_OF_A_PLACE) break;
        }
        return place.isEmpty() ? stack.getFirst().toString() : String.join(" < ", place);
    }

    /** The frames, one on a line. */
    String frames() {
        var text = new StringBuilder();
        for (StackTraceElement frame : stack.subList(0, Math.min(stack.size(), MOST_FRAMES)))
            text.append("\n    at ").append(frame);
        if (stack.size() > MOST_FRAMES)
            text.append("\n    ... ").append(stack.size() - MOST_FRAMES).append(" more");
        return text.substring(1);
    }

    /** The whole report. */
    String text() {
        return "Loop '" + loop + "' is held by " + holder + ", for " + soFar.toMillis()
                + " ms so far; nobody else runs on it meanwhile\n" + frames() + "\n  " + WayOut.of(stack);
    }
}
