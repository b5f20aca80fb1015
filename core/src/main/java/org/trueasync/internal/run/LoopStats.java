package org.trueasync.internal.run;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The counts of a runtime, for callers on any thread. The loop itself answers, so that all counts are of one moment. If
 * it has not answered after a second, or the calling thread is interrupted, that thread reads them in a race. While the
 * loop is held they change little, because no other coroutine runs.
 */
public final class LoopStats {
    private static final long ANSWER_TIMEOUT_MILLIS = 1_000;

    private LoopStats() {}

    /**
     * The counts of the runtime that the calling thread belongs to; else of the only one in the process; zeros if there
     * is none.
     *
     * @throws AsyncException if the thread belongs to none and there are several
     */
    public static RuntimeStats here() {
        Loop here = Runtimes.hereOrNull();
        if (here != null) return new LoopProbe(here).stats();
        List<Loop> all = Runtimes.all();
        if (all.isEmpty()) return RuntimeStats.NONE;
        if (all.size() == 1) return of(all.getFirst());
        throw new AsyncException("Async.runtimeStats needs to know which of " + all.size()
                + " runtimes is meant, and none runs on thread '" + Runtimes.threadName()
                + "'; use AsyncRuntime.stats()");
    }

    /**
     * The counts of one runtime. Any thread.
     *
     * @param loop its loop; null if it does not run, which gives zeros
     */
    public static RuntimeStats of(@Nullable Loop loop) {
        if (loop == null) return RuntimeStats.NONE;
        var probe = new LoopProbe(loop);
        if (Runtimes.hereOrNull() == loop) return probe.stats();
        var answer = new CompletableFuture<RuntimeStats>();
        loop.bring(() -> answer.complete(probe.stats()), () -> answer.complete(RuntimeStats.NONE));
        try {
            return answer.get(ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException held) {
            // read below
        }
        return probe.stats();
    }
}
