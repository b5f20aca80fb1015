package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * A blocked loop, as it was found.
 *
 * @param loop the runtime's name
 * @param holder what holds it, for a person to read
 * @param stack of the thread that holds it, innermost frame first, down to the program's outermost
 * @param state of that thread, as the JDK calls it
 * @param soFar for how long, at least
 */
record BlockedLoop(String loop, String holder, List<StackTraceElement> stack, Thread.State state, Duration soFar) {
    private static final int USER_FRAMES_OF_A_PLACE = 3;
    private static final int MAX_FRAMES = 40;
    private static final Set<String> NEVER_WAIT = Set.of(
            "java.lang.Object",
            "java.lang.System",
            "java.lang.Class",
            "java.lang.Throwable",
            "java.lang.reflect.Array",
            "jdk.internal.misc.VM");
    /**
     * Up to this many frames of the JDK's count as work of the program itself: it reads a clock, sorts, looks something
     * up.
     */
    private static final int SHALLOW = 4;

    /**
     * Describes what was found.
     *
     * @param loop the runtime's name
     * @param coroutine in whose place the code runs; null for the loop's own frame and virtual threads of libraries
     * @param stack the whole of it
     * @param state of the thread, as the JDK calls it
     * @param soFar for how long, at least
     */
    static BlockedLoop of(
            String loop,
            @Nullable Coroutine<?> coroutine,
            StackTraceElement[] stack,
            Thread.State state,
            Duration soFar) {
        return new BlockedLoop(loop, holder(coroutine, stack), programsPart(List.of(stack)), state, soFar);
    }

    /** True if the thread waits, in the JDK or in the system, and does not compute. */
    boolean waits() {
        StackTraceElement top = stack.getFirst();
        return isParked() || (top.isNativeMethod() && !neverWaits(top));
    }

    /** True for a native method that a computation calls: it reads a clock, copies, looks at an object or a stack. */
    private static boolean neverWaits(StackTraceElement frame) {
        String method = frame.getMethodName();
        // forName may wait for the initialiser of a class
        if (method.startsWith("wait") || method.startsWith("forName")) return false;
        return NEVER_WAIT.contains(frame.getClassName());
    }

    private boolean isParked() {
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private static String holder(@Nullable Coroutine<?> coroutine, StackTraceElement[] stack) {
        String name = coroutine == null ? null : LoopProbe.nameOf(coroutine);
        String place = name == null ? "" : " in the place of " + name;
        if (passes(stack, "org.trueasync.internal.queue.MicrotaskQueue", "drain")) return "a microtask" + place;
        if (passes(stack, "org.trueasync.internal.kernel.SwitchHandlerList", "run")) return "a switch handler" + place;
        if (Arrays.stream(stack).anyMatch(Advice::takesIn)) return "what other threads have brought" + place;
        if (coroutine == null) return "a callback, or a virtual thread that is no coroutine";
        return name == null ? "a report, or another job of the runtime's own" : name;
    }

    private static boolean passes(StackTraceElement[] stack, String className, String method) {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getClassName().equals(className)
                        && frame.getMethodName().equals(method));
    }

    /**
     * The stack without the outermost frames that every coroutine has, and without the command's call of main; the
     * whole stack if no frame is the program's.
     */
    static List<StackTraceElement> programsPart(List<StackTraceElement> stack) {
        int end = stack.size();
        while (end > 0 && !CodeSites.isUserCode(stack.get(end - 1))) end--;
        return stack.subList(0, end == 0 ? stack.size() : end);
    }

    /**
     * The place by which reports are told apart: the innermost frames of the program, at most
     * {@link #USER_FRAMES_OF_A_PLACE}. In code that computes without end, their lines differ from look to look, so line
     * numbers belong to the place only where the thread waits.
     */
    String place() {
        var place = new ArrayList<String>();
        for (StackTraceElement frame : stack) {
            if (!CodeSites.isUserCode(frame)) continue;
            place.add(
                    frame.getClassName() + "." + frame.getMethodName() + (waits() ? ":" + frame.getLineNumber() : ""));
            if (place.size() == USER_FRAMES_OF_A_PLACE) break;
        }
        return place.isEmpty() ? stack.getFirst().toString() : String.join(" < ", place);
    }

    /**
     * True if it is the JDK that works here: deep below what the program has called, inside a class initialiser of the
     * JDK's, on loading classes, or for us. That may take long the first time, and never again.
     */
    boolean isWorkOfTheJdk() {
        if (isParked()) return false;
        int depth = 0;
        for (StackTraceElement frame : stack) {
            if (CodeSites.isUserCode(frame)) return depth > SHALLOW && !waits();
            if (Advice.isOfLoading(frame) || frame.getMethodName().equals("<clinit>")) return true;
            if (frame.getClassName().startsWith("org.trueasync.internal.")) return true;
            depth++;
        }
        return false;
    }

    /** True if it loads classes or computes in an initialiser: that happens once. */
    boolean isFirstUse() {
        return !waits() && (Advice.loadsClasses(stack) || Advice.initialises(stack));
    }

    /** The frames, one on a line. */
    String frames() {
        var text = new StringBuilder();
        for (StackTraceElement frame : stack.subList(0, Math.min(stack.size(), MAX_FRAMES)))
            text.append("\n    at ").append(frame);
        if (stack.size() > MAX_FRAMES)
            text.append("\n    ... ").append(stack.size() - MAX_FRAMES).append(" more");
        return text.substring(1);
    }

    /** A further report, for code that is found at the same place again and again. */
    String spinText() {
        return "Loop '" + loop + "' is still held by " + holder + ", at the same place for " + soFar.toMillis()
                + " ms: either it computes, or it looks again and again for what another coroutine must do, and then it never ends\n"
                + StackText.folded(stack) + "\n  "
                + Advice.ofSpin(stack).line();
    }

    /** The report of a wait that has lasted for so long that it may have no end. */
    String endlessText() {
        return text() + "\n  If what it waits for is for another coroutine of this loop to do, this is a deadlock";
    }

    /** The whole report. */
    String text() {
        return head() + "; no other coroutine can run meanwhile\n" + StackText.folded(stack) + "\n  " + wayOut();
    }

    /** The report in two lines. */
    String shortText() {
        return head() + ": " + StackText.calls(stack) + "\n  " + wayOut();
    }

    private String head() {
        return "Loop '" + loop + "' is held by " + holder + ", for " + soFar.toMillis() + " ms so far";
    }

    private String wayOut() {
        return Advice.of(stack, waits()) + " (trueasync explain held-loop)";
    }
}
