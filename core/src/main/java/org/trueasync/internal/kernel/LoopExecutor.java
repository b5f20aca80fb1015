package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.task.Tasks;

/**
 * Lets other libraries start coroutines, one for each task or thread. Any thread. While this object is reachable, new
 * work may come at any time, so no deadlock is declared; but it does not keep the run alive. A shutdown takes tasks
 * until its deadline; their waits throw.
 */
public final class LoopExecutor implements Executor, ThreadFactory {
    private final Scheduler scheduler;
    /** It is how other threads reach the run; it may well be idle for long. */
    private final boolean isEntrance;
    /** Another thread has brought a task. */
    private volatile boolean used;

    private LoopExecutor(Scheduler scheduler, boolean isEntrance) {
        this.scheduler = scheduler;
        this.isEntrance = isEntrance;
        scheduler.executors.add(new WeakReference<>(this));
    }

    /**
     * An executor of this runtime.
     *
     * @param loop the runtime's
     */
    public static LoopExecutor of(Loop loop) {
        return new LoopExecutor((Scheduler) loop, false);
    }

    /** As {@link #of}, for threads outside of the run, which may bring work at any time. */
    public static LoopExecutor entranceTo(Loop loop) {
        return new LoopExecutor((Scheduler) loop, true);
    }

    /**
     * True if work has to be expected: from an entrance, or from an executor that another thread has used, unless
     * nothing has happened for long.
     */
    static boolean isExpected(Scheduler scheduler, boolean afterLong) {
        for (WeakReference<LoopExecutor> known : scheduler.executors) {
            LoopExecutor executor = known.get();
            if (executor != null && (executor.isEntrance || (executor.used && !afterLong))) return true;
        }
        return false;
    }

    /** True if an executor has been collected that {@link #reachable} has not yet removed. Any thread. */
    static boolean hasCollectedOne(Scheduler scheduler) {
        for (WeakReference<LoopExecutor> known : scheduler.executors) if (known.get() == null) return true;
        return false;
    }

    static boolean reachable(Scheduler scheduler) {
        if (scheduler.executors.isEmpty()) return false;
        scheduler.executors.removeIf(r -> r.get() == null);
        return !scheduler.executors.isEmpty();
    }

    @Override
    public void execute(Runnable command) {
        var task = Tasks.task(command);
        if (scheduler.remoteQueue.isRefusing())
            throw new RejectedExecutionException("runtime '" + scheduler.settings.name() + "' "
                    + (scheduler.isStopped() ? "has ended" : "ends, and the time for that is over")
                    + "; it runs no more tasks");
        if (scheduler.isLoopThread()) scheduler.spawner.spawnTask(task);
        else submitFromOutside(task, command);
    }

    private void submitFromOutside(Object task, Runnable command) {
        if (!used) used = true;
        scheduler.remoteQueue.task(task, command, Inheritance.ofOutsider(scheduler.classLoader));
    }

    /** True while threads that bring tasks are slowed down. Any thread. */
    boolean isThrottled() {
        return scheduler.remoteQueue.isFlooded();
    }

    @Override
    public Thread newThread(Runnable body) {
        return scheduler.spawner.newThread(body);
    }
}
