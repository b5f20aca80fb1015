package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;

/** How other threads reach a run, before, while and after it runs. */
public final class RunHandle {
    private @Nullable Scheduler scheduler;
    private @Nullable AsyncCancellation early;
    private List<String> survivors = List.of();
    /** What was handed over before the run begins. */
    private @Nullable List<Runnable> earlyTasks = new ArrayList<>(0);
    /** Held from the first task on: another one may come at any time, so nothing is a deadlock. */
    private @Nullable LoopExecutor executor;

    private boolean wanted;

    /** A run that has not begun. */
    public RunHandle() {}

    /**
     * The run begins. On the loop thread.
     *
     * @param started its loop
     */
    public synchronized void started(Loop started) {
        var begun = (Scheduler) started;
        scheduler = begun;
        if (wanted) executor = LoopExecutor.entranceTo(begun);
        List<Runnable> waiting = Objects.requireNonNull(earlyTasks, "a run begins once");
        earlyTasks = null;
        for (Runnable task : waiting) Objects.requireNonNull(executor).execute(task);
        if (early != null) request(begun, early);
    }

    /** Somebody will bring tasks. Any thread. */
    public synchronized void expectTasks() {
        wanted = true;
        if (scheduler != null && executor == null) executor = LoopExecutor.entranceTo(scheduler);
    }

    /**
     * Runs a task in a coroutine of its own, as soon as the run has begun. Any thread.
     *
     * @param name of the runtime, for the message
     * @throws RejectedExecutionException if the run has ended
     */
    public void execute(Runnable task, String name) {
        LoopExecutor running;
        synchronized (this) {
            expectTasks();
            if (earlyTasks != null) {
                earlyTasks.add(task);
                return;
            }
            running = executor;
            if (scheduler == null || running == null)
                throw new RejectedExecutionException("runtime '" + name + "' has ended; it runs no more tasks");
        }
        running.execute(task);
    }

    /**
     * The run has ended, or could not begin.
     *
     * @return tasks that were never begun
     */
    public synchronized List<Runnable> ended() {
        List<Runnable> left = earlyTasks == null ? List.of() : earlyTasks;
        earlyTasks = null;
        executor = null;
        Scheduler over = scheduler;
        scheduler = null;
        if (over != null) survivors = List.copyOf(over.shutdown.survivors());
        return left;
    }

    /**
     * Asks for a graceful shutdown. Any thread.
     *
     * @param reason what coroutines see thrown
     */
    public synchronized void shutdown(AsyncCancellation reason) {
        if (scheduler != null) request(scheduler, reason);
        else early = reason;
    }

    private static void request(Scheduler running, AsyncCancellation reason) {
        running.postToService(() -> running.shutdown.shutDown(reason));
    }

    /** Null before it begins and after its end. Any thread. */
    public synchronized @Nullable Loop loop() {
        return scheduler;
    }

    /** The coroutines that did not end. */
    public synchronized List<String> survivors() {
        return survivors;
    }
}
