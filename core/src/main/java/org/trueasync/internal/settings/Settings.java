package org.trueasync.internal.settings;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.site.CodeSites;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.RunOrder;

/**
 * What a runtime is built from.
 *
 * @param name for thread names and messages
 * @param reactor makes the reactor, on the loop thread
 * @param stackSize bytes of stack for the loop thread, which bounds how deep coroutines may recurse; 0 to run on the
 *     calling thread
 * @param spawnSites whether every spawn remembers its line, at the cost of a stack walk
 * @param minContexts idle stacks that are always kept
 * @param maxContexts idle stacks that are kept at most
 * @param shutdownTimeout how long a graceful shutdown waits for coroutines to end
 * @param deadlockReports whether diagnostics gets the report of a deadlock
 * @param heldLoopAfter how long one coroutine may hold the loop before that is reported; zero for no reports
 * @param deadlockAfter how long a loop must have stood still before deadlocks are looked for
 * @param runOrder chooses what runs next; null for the order of queueing
 * @param heartbeat called in every tick, under the rules of a microtask; null for nothing
 * @param diagnostics where reports go; called in a coroutine or by the watchdog, may block
 */
public record Settings(
        String name,
        Supplier<Reactor> reactor,
        long stackSize,
        boolean spawnSites,
        int minContexts,
        int maxContexts,
        Duration shutdownTimeout,
        boolean deadlockReports,
        Duration heldLoopAfter,
        Duration deadlockAfter,
        @Nullable RunOrder runOrder,
        @Nullable Runnable heartbeat,
        Consumer<String> diagnostics) {
    /**
     * The settings of the runtime of another thread that this runtime starts.
     *
     * @param name its name
     * @param heldLoopAfter how long one coroutine may hold its loop
     */
    public Settings forThread(String name, Duration heldLoopAfter) {
        return new Settings(
                name,
                reactor,
                0,
                spawnSites,
                minContexts,
                maxContexts,
                shutdownTimeout,
                deadlockReports,
                heldLoopAfter,
                deadlockAfter,
                null,
                null,
                diagnostics);
    }

    /** Where user code calls this library now, or {@code unknown} when spawn sites are off. Any thread. */
    public String spawnSite() {
        return spawnSites ? CodeSites.caller() : CodeSites.UNKNOWN;
    }
}
