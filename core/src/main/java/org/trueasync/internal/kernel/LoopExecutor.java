package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * Lets other libraries start coroutines: each task one, each thread one. Any thread. While somebody holds it, he may bring new work
 * at any time, so nothing is a deadlock; but it does not keep the run alive. A shutdown lets tasks in until its deadline; they find that their waits throw.
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
        if (scheduler.arrivals.isRefusing())
            throw new RejectedExecutionException("runtime '" + scheduler.settings.name() + "' "
                    + (scheduler.isStopped() ? "has ended" : "ends, and the time for that is over")
                    + "; it runs no more tasks");
        if (scheduler.isLoopThread()) scheduler.spawner.spawnTask(task);
        else scheduler.arrivals.task(task, command, Inheritance.ofOutsider(scheduler.classLoader));
    }

    @Override
    public Thread newThread(Runnable body) {
        return scheduler.spawner.newThread(body);
    }
}
