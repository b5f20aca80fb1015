package org.trueasync.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.internal.error.Causes;

/**
 * Texts of errors as the JDK prints them, but without the frames at the bottom that show how the program was started.
 * {@code "... 9 more"} counts these too.
 */
final class Traces {
    private static final List<String> PLUMBING = List.of(
            "org.trueasync.launcher.",
            "org.trueasync.internal.",
            "org.trueasync.AsyncRuntime",
            "org.trueasync.Task",
            "java.lang.reflect.",
            "java.lang.invoke.",
            "jdk.internal.",
            "java.lang.VirtualThread",
            "java.lang.Thread");

    private static final String FRAME = "\tat ";

    private Traces() {}

    /**
     * Returns the text of an error with its stack, causes and suppressed errors. A trace of nothing but plumbing is
     * kept.
     *
     * @param error the error; not changed
     */
    static String text(Throwable error) {
        List<String> lines = Causes.trace(error).lines().toList();
        var kept = new ArrayList<String>();
        for (int next = 0; next < lines.size(); ) {
            int begin = next;
            while (next < lines.size() && lines.get(next).contains(FRAME)) next++;
            int end = next;
            while (end > begin && isPlumbing(lines.get(end - 1))) end--;
            kept.addAll(lines.subList(begin, end > begin ? end : next));
            if (next < lines.size()) kept.add(lines.get(next++));
        }
        return String.join(System.lineSeparator(), kept);
    }

    private static boolean isPlumbing(String line) {
        String frame = line.substring(line.indexOf(FRAME) + FRAME.length());
        return PLUMBING.stream().anyMatch(prefix -> frame.startsWith(prefix) || frame.contains('/' + prefix));
    }

    /** True if an error comes from the plumbing itself: its trace has no frame of the program. */
    static boolean isPlumbing(Throwable error) {
        return Stream.of(error.getStackTrace()).map(frame -> FRAME + frame).allMatch(Traces::isPlumbing);
    }
}
