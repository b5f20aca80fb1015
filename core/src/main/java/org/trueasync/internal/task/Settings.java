package org.trueasync.internal.task;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.RunOrder;

/**
 * What a runtime is built from.
 *
 * @param name for thread names and messages
 * @param reactor makes the reactor, on the loop thread
 * @param stackSize bytes of stack for a loop thread of its own, which bounds how deep coroutines may recurse; 0 to run
 *     on the calling thread, if that is a platform thread
 * @param spawnSites whether a spawn, a future, a scope and the like remembers its line of code, at the cost of a stack
 *     walk
 * @param minContexts how many idle stacks are kept in any case
 * @param maxContexts how many idle stacks are kept at most
 * @param drainTimeout how long a graceful shutdown lets work that is under way go on before it cancels; zero for no
 *     drain
 * @param shutdownTimeout how long a graceful shutdown lets coroutines finish; after that they can't wait any more
 * @param deadlockReports whether diagnostics gets the reports of deadlocks, of wait cycles, and of runs without
 *     progress
 * @param heldLoopAfter how long the loop may be held before that is reported; zero for no reports
 * @param deadlockAfter how long a loop must have made no progress before it is checked for deadlocks
 * @param standardStreams whether the process's standard streams are replaced by such as suspend only a coroutine
 * @param runOrder chooses which ready coroutine runs next; null for the first in the run queue
 * @param heartbeat queued as a microtask each time a coroutine suspends or ends; null for nothing
 * @param diagnostics gets the reports; called in a coroutine, before the first coroutine, or on another thread than the
 *     loop's; may block
 */
public record Settings(
        String name,
        Supplier<Reactor> reactor,
        long stackSize,
        boolean spawnSites,
        int minContexts,
        int maxContexts,
        Duration drainTimeout,
        Duration shutdownTimeout,
        boolean deadlockReports,
        Duration heldLoopAfter,
        Duration deadlockAfter,
        boolean standardStreams,
        @Nullable RunOrder runOrder,
        @Nullable Runnable heartbeat,
        Consumer<String> diagnostics) {
    /**
     * Returns the settings for a runtime that this one starts on another thread.
     *
     * @param name the name of that runtime
     * @param heldLoopAfter how long the loop of that runtime may be held; zero for no reports
     */
    public Settings forThread(String name, Duration heldLoopAfter) {
        return new Settings(
                name,
                reactor,
                0,
                spawnSites,
                minContexts,
                maxContexts,
                drainTimeout,
                shutdownTimeout,
                deadlockReports,
                heldLoopAfter,
                deadlockAfter,
                standardStreams,
                null,
                null,
                diagnostics);
    }

    /**
     * Returns the line from which user code calls this library now; {@code unknown} if spawn sites are off. Any thread.
     */
    public String spawnSite() {
        return spawnSites ? CodeSites.caller() : CodeSites.UNKNOWN;
    }
}
