package org.trueasync.internal.error;

import java.util.ArrayList;
import java.util.List;

/** The trace of an error without the frames at its bottom that run the coroutine. */
public final class ProgramTrace {
    private static final int MAX_FRAMES_IN_SHORT = 3;
    private static final List<String> RUNTIME_PREFIXES =
            List.of("org.trueasync.internal.", "java.lang.VirtualThread", "java.lang.Thread.", "jdk.internal.");

    private ProgramTrace() {}

    /** Returns the whole trace, in several lines. */
    public static String of(Throwable error) {
        return String.join("\n", trimmed(Causes.trace(error)));
    }

    /** Returns the error's text and its innermost frames. */
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

    /** Returns the lines without the plumbing at the bottom; all if they are all plumbing. */
    private static List<String> trimmed(String trace) {
        var lines = new ArrayList<String>();
        int keep = 0;
        boolean frames = false;
        for (String line : trace.lines().toList()) {
            if (!isFrame(line)) {
                if (frames && keep > 0) lines.subList(keep, lines.size()).clear();
                frames = false;
                keep = 0;
            } else {
                frames = true;
                if (!isRuntimeFrame(line)) keep = lines.size() + 1;
            }
            lines.add(line);
        }
        if (frames && keep > 0) lines.subList(keep, lines.size()).clear();
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
