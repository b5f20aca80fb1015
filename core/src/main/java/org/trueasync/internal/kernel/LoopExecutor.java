package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.EndOfRun;

/**
 * Lets other libraries start coroutines, one for each task or thread. Any thread. While this object is reachable, new
 * work may come at any time, so no deadlock is declared; but it does not keep the run alive. During a shutdown tasks
 * are taken until the deadline; the first wait of each throws.
 */
public final class LoopExecutor implements Executor, ThreadFactory {
    private final Loop loop;
    /** Other threads reach the run by it, so it may well be idle for long. */
    private final boolean isEntrance;
    /**
     * It says nothing about work to come, a drain does not wait for its tasks, and they have nothing to do with the
     * coroutine that brings them.
     */
    private final boolean hidden;
    /** Another thread has brought a task. */
    private volatile boolean used;

    private LoopExecutor(Loop loop, boolean isEntrance, boolean hidden) {
        this.loop = loop;
        this.isEntrance = isEntrance;
        this.hidden = hidden;
        if (!hidden) loop.agenda.executors.add(new WeakReference<>(this));
    }

    /**
     * An executor of a runtime.
     *
     * @param loop the runtime's loop
     */
    public static LoopExecutor of(Loop loop) {
        return new LoopExecutor(loop, false, false);
    }

    /** As {@link #of}, for threads outside of the run, which may bring work at any time. */
    public static LoopExecutor entranceTo(Loop loop) {
        return new LoopExecutor(loop, true, false);
    }

    /** As {@link #of}, but a deadlock is declared although it is reachable; its tasks belong to the main scope. */
    static LoopExecutor hidden(Loop loop) {
        return new LoopExecutor(loop, false, true);
    }

    /**
     * True if work has to be expected: from an entrance; or from an executor that another thread has used, but not when
     * nothing has happened for long. Loop thread.
     */
    static boolean isExpected(Loop loop, boolean afterLong) {
        for (WeakReference<?> known : loop.agenda.executors) {
            if (known.get() instanceof LoopExecutor executor && (executor.isEntrance || (executor.used && !afterLong)))
                return true;
        }
        return false;
    }

    /** True if an executor has been collected of which the loop does not know yet. Any thread. */
    static boolean hasCollectedOne(Loop loop) {
        for (WeakReference<?> known : loop.agenda.executors) if (known.get() == null) return true;
        return false;
    }

    @Override
    public void execute(Runnable command) {
        var task = Tasks.task(command);
        if (loop.remoteQueue.isRefusing())
            throw new RejectedExecutionException(
                    "runtime '" + loop.name() + "' "
                            + (loop.isStopped() ? "has ended" : "ends, and the time for that is over")
                            + "; it runs no more tasks",
                    new EndOfRun(loop.reactor));
        if (loop.isLoopThread() && !hidden) loop.spawner.spawnWork(task);
        else submitFromOutside(task, command);
    }

    private void submitFromOutside(Object task, Runnable command) {
        if (!used) used = true;
        String site = loop.settings.spawnSite();
        Inheritance inheritance = loop.isLoopThread() ? null : Inheritance.ofOutsider(loop.classLoader);
        CoroutineKind kind = hidden ? CoroutineKind.OWED : CoroutineKind.WORK;
        loop.remoteQueue.task(task, command, kind, site, inheritance);
    }

    @Override
    public Thread newThread(Runnable body) {
        return loop.spawner.newThread(body);
    }
}
