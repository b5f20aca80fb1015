package org.trueasync.internal.failure;

import java.util.List;
import org.trueasync.Coroutine;

/** The text of a deadlock report: which coroutine waits for what. */
public final class DeadlockReport {
    private DeadlockReport() {}

    /**
     * Returns the report of a runtime in which no coroutine can go on.
     *
     * @param active the number of active events
     * @param waiting all of its coroutines
     */
    public static String of(int active, List<? extends Coroutine<?>> waiting) {
        var text = new StringBuilder();
        text.append("Deadlock: ")
                .append(waiting.size())
                .append(waiting.size() == 1 ? " coroutine waits" : " coroutines wait");
        text.append(", nothing can wake ").append(waiting.size() == 1 ? "it" : "them");
        text.append(" (").append(active).append(active == 1 ? " active event)" : " active events)");
        for (Coroutine<?> coroutine : waiting) add(text, coroutine);
        return text.toString();
    }

    /** Appends a line about a coroutine: where it was spawned, where it is suspended, what it waits for. */
    public static void add(StringBuilder text, Coroutine<?> coroutine) {
        List<String> awaited = coroutine.awaitingInfo();
        text.append("\n  ").append(FailureText.label(coroutine));
        text.append(" spawned ").append(coroutine.spawnLocation());
        text.append(", suspended ").append(coroutine.suspendLocation());
        text.append(", awaits ").append(awaited.isEmpty() ? "nothing" : String.join("; ", awaited));
    }
}
