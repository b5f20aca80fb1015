package org.trueasync.internal.kernel;

import java.util.List;

/** The text that tells a person who waits for what. */
final class DeadlockReport {
    private DeadlockReport() {}

    static String of(Scheduler scheduler, List<CoroutineImpl<?>> waiting) {
        int active = scheduler.activeEvents.count();
        var text = new StringBuilder();
        text.append("Deadlock: ")
                .append(waiting.size())
                .append(waiting.size() == 1 ? " coroutine waits" : " coroutines wait");
        text.append(", nothing can wake ").append(waiting.size() == 1 ? "it" : "them");
        text.append(" (").append(active).append(active == 1 ? " active event)" : " active events)");
        for (CoroutineImpl<?> coroutine : waiting) add(text, coroutine);
        return text.toString();
    }

    /** A line about one: where it came from, where it is, what it waits for. */
    static void add(StringBuilder text, CoroutineImpl<?> coroutine) {
        List<String> awaited = coroutine.awaitingInfo();
        text.append("\n  ").append(coroutine.label());
        text.append(" spawned ").append(coroutine.spawnLocation());
        text.append(", suspended ").append(coroutine.suspendLocation());
        text.append(", awaits ").append(awaited.isEmpty() ? "nothing" : String.join("; ", awaited));
    }
}
