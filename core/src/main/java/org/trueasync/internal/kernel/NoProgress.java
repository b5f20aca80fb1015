package org.trueasync.internal.kernel;

import java.time.Duration;
import java.util.List;

/**
 * A run in which everybody waits, and which is no deadlock only because somebody holds an executor: said once, as it may be as it should be. Nothing that the runtime can see is under
 * way then: no descriptor, timer or signal, no work of another thread that somebody waits for, no coroutine in JDK code. Loop thread.
 */
final class NoProgress {
    private static final int MOST_SHOWN = 20;

    private final Scheduler scheduler;
    private boolean told;

    NoProgress(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Looks, and tells. In a service coroutine.
     *
     * @param standing how long nothing has happened
     * @param isLong whether that is long also for an executor that has been used
     */
    void look(Duration standing, boolean isLong) {
        scheduler.executors.removeIf(known -> known.get() == null);
        if (told || !scheduler.settings.deadlockReports() || !onlyExecutorsAreLeft(isLong)) return;
        List<CoroutineImpl<?>> waiting = scheduler.scopes.coroutines();
        for (CoroutineImpl<?> coroutine : waiting) if (!coroutine.isWaiting()) return;
        waiting.removeIf(scheduler.waitCycles::hasReported);
        if (waiting.isEmpty()) return;
        String text = text(standing, waiting);
        told = true;
        scheduler.diagnostics.accept(text);
    }

    private boolean onlyExecutorsAreLeft(boolean isLong) {
        return !scheduler.shutdown.isShuttingDown()
                && scheduler.activeEvents.count() == 0
                && scheduler.queue.isEmpty()
                && scheduler.remoteQueue.isEmpty()
                && scheduler.remoteQueue.blocked() == 0
                && !scheduler.libraryThreads.anyAlive()
                && LoopExecutor.reachable(scheduler)
                && !LoopExecutor.isExpected(scheduler, isLong);
    }

    private static String text(Duration standing, List<CoroutineImpl<?>> waiting) {
        int count = waiting.size();
        var text = new StringBuilder("nobody has made progress for ")
                .append(standing.toMillis() / 1000.0)
                .append(" s: ")
                .append(count)
                .append(count == 1 ? " coroutine waits" : " coroutines wait")
                .append(", and only what another thread gives to an executor() or threadFactory() that somebody holds"
                        + " could change that; if nothing is to come, this is a deadlock");
        for (CoroutineImpl<?> coroutine : waiting.subList(0, Math.min(count, MOST_SHOWN)))
            DeadlockReport.add(text, coroutine);
        if (count > MOST_SHOWN)
            text.append("\n  ... and ").append(count - MOST_SHOWN).append(" more");
        return text.toString();
    }
}
