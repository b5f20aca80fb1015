package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * Lets other libraries start coroutines: each task one, each thread one. Any thread. While somebody holds it, he may bring new work
 * at any time, so nothing is a deadlock; but it does not keep the run alive.
 */
public final class LoopExecutor implements Executor, ThreadFactory {
    private final Scheduler scheduler;

    private LoopExecutor(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * An executor of this runtime.
     *
     * @param scheduler the runtime's
     */
    public static LoopExecutor of(Scheduler scheduler) {
        var executor = new LoopExecutor(scheduler);
        scheduler.executors.add(new WeakReference<>(executor));
        return executor;
    }

    static boolean reachable(Scheduler scheduler) {
        if (scheduler.executors.isEmpty()) return false;
        scheduler.executors.removeIf(r -> r.get() == null);
        return !scheduler.executors.isEmpty();
    }

    @Override
    public void execute(Runnable command) {
        var task = Tasks.task(command);
        if (scheduler.isStopped())
            throw new RejectedExecutionException(
                    "runtime '" + scheduler.settings.name() + "' has ended; it runs no more tasks");
        if (scheduler.isLoopThread()) scheduler.spawner.spawn(task, CoroutineImpl.FIRE_AND_FORGET);
        else scheduler.arrivals.post(() -> scheduler.spawner.spawnUnowned(task), command);
    }

    @Override
    public Thread newThread(Runnable body) {
        return scheduler.spawner.newThread(body);
    }
}
