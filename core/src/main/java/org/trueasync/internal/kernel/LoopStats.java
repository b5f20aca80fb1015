package org.trueasync.internal.kernel;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.RuntimeStats;

/**
 * The counts of a runtime, for whoever asks wherever it is. The loop answers itself, so that the counts belong together. If it is held for long, they are read in
 * a race: then they change little, as nobody else runs.
 */
public final class LoopStats {
    private static final long PATIENCE_MILLIS = 1_000;

    private LoopStats() {}

    /** Of the runtime that the calling thread belongs to; of the only one in the process if there is none here. */
    public static RuntimeStats here() {
        Scheduler here = Runtimes.schedulerOrNull();
        if (here != null) return now(here);
        List<Loop> all = Runtimes.all();
        if (all.isEmpty()) return RuntimeStats.NONE;
        if (all.size() == 1) return of(all.getFirst());
        throw new AsyncException("Async.runtimeStats needs to know which of " + all.size()
                + " runtimes is meant, and none runs on thread '" + Runtimes.threadName()
                + "'; use AsyncRuntime.stats()");
    }

    /**
     * Of one runtime. Any thread.
     *
     * @param loop null if it does not run
     */
    public static RuntimeStats of(@Nullable Loop loop) {
        if (!(loop instanceof Scheduler scheduler)) return RuntimeStats.NONE;
        if (scheduler.isLoopThread()) return now(scheduler);
        var answer = new CompletableFuture<RuntimeStats>();
        scheduler.post(() -> answer.complete(now(scheduler)), () -> answer.complete(RuntimeStats.NONE));
        try {
            return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException held) {
            // read below
        }
        return now(scheduler);
    }

    /** Of one runtime, as they are read here and now: they belong together on the loop thread alone. */
    public static RuntimeStats now(Loop loop) {
        var scheduler = (Scheduler) loop;
        Counters counters = scheduler.counters;
        CoroutineImpl<?> current = scheduler.current;
        int alive = scheduler.alive();
        int running = current == null || !current.isRunning() || current.isInternal() ? 0 : 1;
        int notBegun = (int) (counters.spawned - counters.begun);
        return new RuntimeStats(
                alive,
                notBegun,
                running,
                alive - notBegun - running,
                scheduler.queue.size(),
                scheduler.remoteQueue.blocked(),
                scheduler.activeEvents.count(),
                scheduler.timers.size() - scheduler.errors.notices.timers(),
                scheduler.reactor.openHandles() - scheduler.sockets.handles(),
                scheduler.contexts.size(),
                counters.spawned,
                counters.contextsCreated,
                counters.directSwitches,
                counters.schedulerSwitches,
                counters.contextReuses,
                counters.reactorTurns);
    }
}
