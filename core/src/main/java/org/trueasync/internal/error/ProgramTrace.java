package org.trueasync.internal.error;

import java.util.ArrayList;
import java.util.List;

/**
 * The stack trace of an error, without the frames at the bottom of each stack that belong to the runtime and the JDK.
 */
public final class ProgramTrace {
    private static final int MAX_FRAMES_IN_SHORT = 3;
    private static final List<String> RUNTIME_PREFIXES =
            List.of("org.trueasync.internal.", "java.lang.VirtualThread", "java.lang.Thread.", "jdk.internal.");

    private ProgramTrace() {}

    /** Returns the whole trace, in several lines. */
    public static String of(Throwable error) {
        return String.join("\n", trimmed(Causes.trace(error)));
    }

    /** Returns the error's text and its innermost frames, at most three. */
    public static String inShort(Throwable error) {
        var text = new StringBuilder(Causes.text(error));
        int frames = 0;
        for (String line : trimmed(Causes.trace(error))) {
            if (!isFrame(line)) {
                if (frames > 0) break;
                continue; // a line of the message, which is in the text already
            }
            if (frames++ == MAX_FRAMES_IN_SHORT) return text.append("\n\t...").toString();
            text.append('\n').append(line);
        }
        return text.toString();
    }

    /**
     * Returns the lines of a trace without the runtime's frames at the bottom of each stack. A stack that has no other
     * frames stays whole.
     */
    private static List<String> trimmed(String trace) {
        var lines = new ArrayList<String>();
        int keptLines = 0;
        boolean inFrames = false;
        for (String line : trace.lines().toList()) {
            if (!isFrame(line)) {
                if (inFrames && keptLines > 0)
                    lines.subList(keptLines, lines.size()).clear();
                inFrames = false;
                keptLines = 0;
            } else {
                inFrames = true;
                if (!isRuntimeFrame(line)) keptLines = lines.size() + 1;
            }
            lines.add(line);
        }
        if (inFrames && keptLines > 0) lines.subList(keptLines, lines.size()).clear();
        return lines;
    }

    private static boolean isFrame(String line) {
        return line.stripLeading().startsWith("at ");
    }

    private static boolean isRuntimeFrame(String frame) {
        String place = frame.stripLeading().substring("at ".length());
        String method = place.substring(place.lastIndexOf('/', Math.max(0, place.indexOf('('))) + 1);
        for (String prefix : RUNTIME_PREFIXES) if (method.startsWith(prefix)) return true;
        return false;
    }
}
