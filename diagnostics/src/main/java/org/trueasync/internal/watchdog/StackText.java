package org.trueasync.internal.watchdog;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.trueasync.internal.error.CodeSites;

/** How reports show a stack: the program's frames, and of all others as little as says what they do. */
final class StackText {
    /** Deeper frames of the program show how it came there, which one seldom needs. */
    private static final int MAX_LINES = 16;

    private static final int CALLS = 3;

    private StackText() {}

    /**
     * The stack, a frame on a line. Frames that are not the program's are folded. At the top, the innermost one and the
     * one that the program has called remain.
     *
     * @param stack innermost frame first
     */
    static String folded(List<StackTraceElement> stack) {
        var lines = new ArrayList<String>();
        int i = 0;
        while (i < stack.size() && lines.size() < MAX_LINES) {
            if (CodeSites.isUserCode(stack.get(i))) {
                lines.add(line(stack.get(i++)));
                continue;
            }
            int end = i;
            while (end < stack.size() && !CodeSites.isUserCode(stack.get(end))) end++;
            addOthers(stack.subList(i, end), i == 0, lines);
            i = end;
        }
        if (i < stack.size()) lines.add("    ... " + (stack.size() - i) + " more");
        return String.join("\n", lines);
    }

    private static void addOthers(List<StackTraceElement> frames, boolean isTop, List<String> lines) {
        int kept = isTop ? 2 : 0;
        int folded = frames.size() - kept;
        if (folded < 2) {
            for (StackTraceElement frame : frames) lines.add(line(frame));
            return;
        }
        if (isTop) lines.add(line(frames.getFirst()));
        lines.add("    ... " + folded + " of the JDK or TrueAsync");
        if (isTop) lines.add(line(frames.getLast()));
    }

    /**
     * The innermost calls of the program, in one line, the innermost one first; of a stack without one the innermost
     * frame.
     *
     * @param stack innermost frame first
     */
    static String calls(List<StackTraceElement> stack) {
        var calls = new StringJoiner(" < ");
        stack.stream().filter(CodeSites::isUserCode).limit(CALLS).forEach(frame -> calls.add(call(frame)));
        return calls.length() > 0 ? calls.toString() : call(stack.getFirst());
    }

    /** A frame without its module and class loader. */
    private static String call(StackTraceElement frame) {
        return new StackTraceElement(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
                .toString();
    }

    private static String line(StackTraceElement frame) {
        return "    at " + frame;
    }
}
