package org.trueasync.internal.testkit;

import org.trueasync.Async;
import org.trueasync.Coroutine;

/** The coroutines of a runtime, for a report of a run that does not end. */
public final class CoroutineList {
    private CoroutineList() {}

    /** On the loop thread. */
    public static String here() {
        var text = new StringBuilder("the coroutines are");
        for (Coroutine<?> coroutine : Async.coroutines())
            text.append("\n  #")
                    .append(coroutine.id())
                    .append(" spawned ")
                    .append(coroutine.spawnLocation())
                    .append(", suspended ")
                    .append(coroutine.suspendLocation())
                    .append(", awaits ")
                    .append(String.join("; ", coroutine.awaitingInfo()));
        return text.toString();
    }
}
