package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;

/** What the diagnostics say of coroutines that have failed. */
final class FailureText {
    private static final int MOST_FRAMES_OF_A_NOTICE = 3;
    private static final List<String> PLUMBING =
            List.of("org.trueasync.internal.", "java.lang.VirtualThread", "java.lang.Thread.", "jdk.internal.");

    private FailureText() {}

    /** Nobody awaits the error so far. Short, as it is told in full when it ends the run. */
    static String unobserved(SpawnTrace origin, Throwable error) {
        return notice("Failed, and nobody awaits it, ", origin, error)
                + "\nThis error ends the run, unless somebody awaits it first. What nobody awaits is started by launch().";
    }

    /** One of several that were awaited together, and the wait has ended without it. */
    static String lost(CoroutineImpl<?> coroutine, Throwable error) {
        return notice("Failed when the wait for it had ended, ", new SpawnTrace(coroutine), error);
    }

    /** A task of a group, and nobody has asked the group so far. */
    static String ofGroup(CoroutineImpl<?> coroutine, Throwable error) {
        return notice("Failed in a group, and nobody asks for it, ", new SpawnTrace(coroutine), error)
                + "\nThis error goes to the group's scope, unless somebody asks the group first.";
    }

    /** Its own token has ended a wait, by an error, and it has let that out. */
    static String timedOut(CoroutineImpl<?> coroutine, Throwable error) {
        return notice(
                        "Ended by a timeout that it did not catch, and nobody awaits it, ",
                        new SpawnTrace(coroutine),
                        error)
                + "\nA wait that was given up is no failure: its scope goes on.";
    }

    private static String notice(String what, SpawnTrace origin, Throwable error) {
        return what + origin.place() + ": " + shortTrace(error);
    }

    /** The error has been taken by being told, and its scope goes on. */
    static String taken(CoroutineImpl<?> coroutine, Throwable error) {
        return "Failed, while its scope goes on, " + new SpawnTrace(coroutine).place() + ": "
                + String.join("\n", trimmed(Causes.trace(error)));
    }

    private static String shortTrace(Throwable error) {
        var text = new StringBuilder(Causes.text(error));
        int frames = 0;
        for (String line : trimmed(Causes.trace(error))) {
            if (!isFrame(line)) {
                if (frames > 0) break;
                continue; // of the message, which has been said
            }
            if (frames++ == MOST_FRAMES_OF_A_NOTICE)
                return text.append("\n\t...").toString();
            text.append('\n').append(line);
        }
        return text.toString();
    }

    /** Without the frames at the bottom that say how a coroutine is run; all of them if there is nothing else. */
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
                if (!isPlumbing(line)) keep = lines.size() + 1;
            }
            lines.add(line);
        }
        if (frames && keep > 0) lines.subList(keep, lines.size()).clear();
        return lines;
    }

    private static boolean isFrame(String line) {
        return line.stripLeading().startsWith("at ");
    }

    private static boolean isPlumbing(String frame) {
        String place = frame.stripLeading().substring("at ".length());
        String method = place.substring(place.lastIndexOf('/', Math.max(0, place.indexOf('('))) + 1);
        for (String prefix : PLUMBING) if (method.startsWith(prefix)) return true;
        return false;
    }
}
