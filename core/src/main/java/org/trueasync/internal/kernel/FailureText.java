package org.trueasync.internal.kernel;

import org.trueasync.internal.error.ProgramTrace;
import org.trueasync.internal.error.SpawnTrace;

/** What the diagnostics say of coroutines that have failed. */
final class FailureText {
    private FailureText() {}

    /** Which coroutine it was that has failed. */
    static SpawnTrace origin(CoroutineImpl<?> coroutine) {
        return new SpawnTrace(coroutine.label(), coroutine.spawnLocation());
    }

    /** Nobody awaits the error so far. Short, as it is told in full when it ends the run. */
    static String unobserved(SpawnTrace origin, Throwable error) {
        return notice("Failed, and nobody awaits it, ", origin, error)
                + "\nThis error ends the run, unless somebody awaits it first. What nobody awaits is started by launch().";
    }

    /** One of several that were awaited together, and the wait has ended without it. */
    static String lost(CoroutineImpl<?> coroutine, Throwable error) {
        return notice("Failed when the wait for it had ended, ", origin(coroutine), error);
    }

    /** A task of a group, and nobody has asked the group so far. */
    static String ofGroup(CoroutineImpl<?> coroutine, Throwable error) {
        return notice("Failed in a group, and nobody asks for it, ", origin(coroutine), error)
                + "\nThis error goes to the group's scope, unless somebody asks the group first.";
    }

    /** Its own token has ended a wait, by an error, and it has let that out. */
    static String timedOut(CoroutineImpl<?> coroutine, Throwable error) {
        return notice("Ended by a timeout that it did not catch, and nobody awaits it, ", origin(coroutine), error)
                + "\nA wait that was given up is no failure: its scope goes on.";
    }

    private static String notice(String what, SpawnTrace origin, Throwable error) {
        return what + origin.place() + ": " + ProgramTrace.inShort(error);
    }

    /** The error has been taken by being told, and its scope goes on. */
    static String taken(CoroutineImpl<?> coroutine, Throwable error) {
        return "Failed, while its scope goes on, " + origin(coroutine).place() + ": " + ProgramTrace.of(error);
    }
}
