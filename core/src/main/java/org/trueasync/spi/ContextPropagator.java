package org.trueasync.spi;

import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Hands values of the calling thread, its thread locals, on to the coroutines, threads and tasks that it starts. Found
 * by {@link ServiceLoader}, with the system class loader, or with that of TrueAsync where the system's does not see it;
 * without one nothing is asked. One that can't be loaded is reported and left out. The module
 * {@code org.trueasync.context} has one.
 *
 * <p>Each method is called on the thread that it is about. Methods of several threads may run at the same time. They
 * must not wait: there may be no coroutine to suspend.
 */
public interface ContextPropagator {
    /**
     * Returns the values of the calling thread, for what it starts. Called for each spawn and each task, so it should
     * be quick, and should allocate nothing if there is nothing to hand on.
     *
     * @return null for nothing; else an object that does not change any more and may be given to many threads. What
     *     this throws, the caller's {@code spawn} or {@code submit} throws
     */
    @Nullable
    Object capture();

    /**
     * Sets the values on the calling thread, which has none. A coroutine's thread locals are removed at its end, so
     * nothing is called then. If this throws, the coroutine or task fails with that.
     *
     * @param captured what {@link #capture} has returned
     */
    void give(Object captured);

    /**
     * Removes the values from the calling helper thread, as it goes on to tasks of others: those that it was given and
     * those that the task has set. If this throws, all thread locals of the thread are removed, and the task fails with
     * that.
     *
     * @param given what it was given; null for nothing
     */
    void takeBack(@Nullable Object given);

    /**
     * Returns what of captured values another process understands, as text. Other propagators' text is beside it, so
     * keys should say whose they are.
     *
     * @param captured what {@link #capture} has returned
     * @return empty if nothing is to leave the process, as here
     */
    default Map<String, String> toText(Object captured) {
        return Map.of();
    }

    /**
     * Returns values out of a text that {@link #toText} has made, most likely in another process.
     *
     * @param text of all propagators
     * @return null for nothing, as here; else what {@link #give} takes
     */
    default @Nullable Object fromText(Map<String, String> text) {
        return null;
    }

    /**
     * Returns the values of the calling thread that another process understands, as all installed propagators write
     * them: for the headers of a message. Throws what they throw. Any thread.
     */
    static Map<String, String> callersText() {
        return SchedulerProvider.get().textOfContext();
    }

    /**
     * Sets values on the calling thread, which has none, in a coroutine. They end with it. Throws what the installed
     * propagators throw.
     *
     * @param text what {@link #callersText} has returned, most likely in another process
     */
    static void giveText(Map<String, String> text) {
        SchedulerProvider.get().giveContext(text);
    }
}
