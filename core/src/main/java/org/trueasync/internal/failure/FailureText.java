package org.trueasync.internal.failure;

import org.trueasync.Coroutine;
import org.trueasync.internal.error.ProgramTrace;
import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.site.Names;

/** What the diagnostics say of coroutines, above all of those that have failed. */
public final class FailureText {
    private FailureText() {}

    /** Its number and its name, for a person to read: {@code #4 'indexer'}. */
    public static String label(Coroutine<?> coroutine) {
        return Names.of("#" + coroutine.id(), coroutine.name());
    }

    /** Which coroutine it was that has failed. */
    public static SpawnTrace origin(Coroutine<?> coroutine) {
        return new SpawnTrace(label(coroutine), coroutine.spawnLocation());
    }

    /** Nobody awaits the error so far. Short, as it is told in full when it ends the run. */
    public static String unobserved(SpawnTrace origin, Throwable error) {
        return notice("Failed, and nobody awaits it, ", origin, error)
                + "\nThis error ends the run, unless somebody awaits it first. What nobody awaits is started by launch().";
    }

    /** One of several that were awaited together, and the wait has ended without it. */
    public static String lost(Coroutine<?> coroutine, Throwable error) {
        return notice("Failed when the wait for it had ended, ", origin(coroutine), error);
    }

    /** A task of a group, and nobody has asked the group so far. */
    public static String ofGroup(Coroutine<?> coroutine, Throwable error) {
        return notice("Failed in a group, and nobody asks for it, ", origin(coroutine), error)
                + "\nThis error goes to the group's scope, unless somebody asks the group first.";
    }

    /** Its own token has ended a wait, by an error, and it has let that out. */
    public static String timedOut(Coroutine<?> coroutine, Throwable error) {
        return notice("Ended by a timeout that it did not catch, and nobody awaits it, ", origin(coroutine), error)
                + "\nA wait that was given up is no failure: its scope goes on.";
    }

    private static String notice(String what, SpawnTrace origin, Throwable error) {
        return what + origin.place() + ": " + ProgramTrace.inShort(error);
    }

    /** The error has been taken by being told, and its scope goes on. */
    public static String taken(Coroutine<?> coroutine, Throwable error) {
        return "Failed, while its scope goes on, " + origin(coroutine).place() + ": " + ProgramTrace.of(error);
    }
}
