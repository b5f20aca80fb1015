package org.trueasync.internal.failure;

import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.error.ProgramTrace;
import org.trueasync.internal.error.SpawnTrace;

/** The texts of the diagnostics about coroutines, mostly about failed ones. */
public final class FailureText {
    private FailureText() {}

    /** Returns a coroutine's number and name for messages: {@code #4 'indexer'}. */
    public static String label(Coroutine<?> coroutine) {
        return Names.of("#" + coroutine.id(), coroutine.name());
    }

    /** Returns the trace that identifies a failed coroutine. */
    public static SpawnTrace origin(Coroutine<?> coroutine) {
        return new SpawnTrace(label(coroutine), coroutine.spawnLocation());
    }

    /**
     * Returns the text about an error that nobody has awaited so far; short, as the error is written in full when it
     * ends the run.
     */
    public static String unobserved(SpawnTrace origin, Throwable error) {
        return notice("Failed, and nobody awaits it, ", origin, error)
                + "\nThis error ends the run, unless somebody awaits it first. What nobody awaits is started by launch().";
    }

    /** Returns the text about a coroutine that was awaited together with others and failed after the wait had ended. */
    public static String lost(Coroutine<?> coroutine, Throwable error) {
        return whole("Failed when the wait for it had ended, ", origin(coroutine), error);
    }

    /** Returns the text about a task of a group, for whose error nobody has asked the group so far. */
    public static String ofGroup(Coroutine<?> coroutine, Throwable error) {
        return notice("Failed in a group, and nobody asks for it, ", origin(coroutine), error)
                + "\nThis error goes to the group's scope, unless somebody asks the group first.";
    }

    /** Returns the text about an error in a scope for which nobody waits any more. */
    public static String left(Coroutine<?> coroutine, Throwable error) {
        return notice("Failed, and the wait for its scope was given up, ", origin(coroutine), error)
                + "\nThe next wait for the scope throws this error, or its close(). If none comes, it goes to the scope above.";
    }

    /** Returns the text about a coroutine that did not catch the exception by which its own token ended a wait. */
    public static String timedOut(Coroutine<?> coroutine, Throwable error) {
        return whole("Ended by a timeout that it did not catch, and nobody awaits it, ", origin(coroutine), error)
                + "\nA wait that was given up is no failure: its scope goes on.";
    }

    /** Returns the text about an error that only a cancellation carries. */
    public static String carried(Coroutine<?> coroutine, Throwable cancellation, Throwable error) {
        return whole("Failed while it was cancelled (" + Causes.text(cancellation) + "), ", origin(coroutine), error);
    }

    /** Returns the text about an error that counts as handled by this report; its scope goes on. */
    public static String taken(Coroutine<?> coroutine, Throwable error) {
        return whole("Failed, while its scope goes on, ", origin(coroutine), error);
    }

    /** About an error that somebody may still get in whole. */
    private static String notice(String what, SpawnTrace origin, Throwable error) {
        return what + origin.place() + ": " + ProgramTrace.inShort(error);
    }

    /** About an error of which nobody is told again: its causes and suppressed errors would be lost. */
    private static String whole(String what, SpawnTrace origin, Throwable error) {
        return what + origin.place() + ": " + ProgramTrace.of(error);
    }
}
