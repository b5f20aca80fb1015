package org.trueasync.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopExecutor;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.queue.Backpressure;
import org.trueasync.internal.task.Drain;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Reactor;

/** How other threads reach a run, before, while and after it runs. */
public final class RunHandle {
    private @Nullable Loop loop;
    /** The reason of a shutdown that was asked for before the run began. */
    private @Nullable AsyncCancellation earlyShutdown;
    /** That shutdown was asked for without a drain. */
    private boolean withoutDrain;
    /** What is done with the loop before anything else. */
    private final List<Consumer<Loop>> earlyActions = new ArrayList<>(0);

    private @Nullable Reactor over;
    private List<String> survivors = List.of();
    /** What was handed over before the run begins. */
    private @Nullable List<Early> earlyTasks = new ArrayList<>(0);
    /** Held once tasks are expected: one may come at any time, so no deadlock is declared. */
    private @Nullable LoopExecutor executor;

    private boolean tasksExpected;

    /**
     * A task from before the run.
     *
     * @param carrying the task with the context of whoever has brought it, for a coroutine
     */
    private record Early(Runnable task, Runnable carrying) {}

    /** A run that has not begun. */
    public RunHandle() {}

    /**
     * Called when the run begins. On the loop thread.
     *
     * @param started its loop
     */
    public synchronized void started(Loop started) {
        loop = started;
        if (tasksExpected) executor = LoopExecutor.entranceTo(started);
        for (Consumer<Loop> action : earlyActions) action.accept(started);
        List<Early> waiting = Objects.requireNonNull(earlyTasks, "a run begins once");
        earlyTasks = null;
        for (Early early : waiting) Objects.requireNonNull(executor).execute(early.carrying);
        if (earlyShutdown != null) request(started, earlyShutdown, withoutDrain);
    }

    /** Notes that other threads will bring tasks. Any thread. */
    public synchronized void expectTasks() {
        tasksExpected = true;
        if (loop != null && executor == null) executor = LoopExecutor.entranceTo(loop);
    }

    /**
     * Runs a task in a coroutine of its own, as soon as the run has begun. Any thread.
     *
     * @param name of the runtime, for the message
     * @throws RejectedExecutionException if the run has ended, or is in the final phase of a shutdown
     */
    public void execute(Runnable task, String name) {
        LoopExecutor running;
        // Once it is no longer early, the executor takes the context.
        Runnable carrying = isEarly() ? Inheritance.withContext(task) : task;
        synchronized (this) {
            expectTasks();
            running = executor;
            if (earlyTasks != null) earlyTasks.add(new Early(task, carrying));
            else if (loop == null || running == null)
                throw new RejectedExecutionException(
                        "runtime '" + name + "' has ended; it runs no more tasks",
                        over == null ? null : new EndOfRun(over));
        }
        if (running != null) running.execute(task);
        else Backpressure.awaitRoom(this::early);
    }

    private synchronized boolean isEarly() {
        return earlyTasks != null;
    }

    /** How many tasks wait for the begin of the run. */
    private synchronized int early() {
        return earlyTasks == null ? 0 : earlyTasks.size();
    }

    /**
     * Called when the run has ended, or could not begin.
     *
     * @return the tasks that were handed over before the run, if it could not begin
     */
    public synchronized List<Runnable> ended() {
        List<Runnable> notBegun = earlyTasks == null
                ? List.of()
                : earlyTasks.stream().map(Early::task).toList();
        earlyTasks = null;
        executor = null;
        Loop endedLoop = loop;
        loop = null;
        if (endedLoop != null) {
            survivors = List.copyOf(endedLoop.survivors());
            over = endedLoop.reactor();
        }
        return notBegun;
    }

    /**
     * Asks for a graceful shutdown: at once, or when the run begins. Does nothing after the run's end. Any thread.
     *
     * @param reason what coroutines see thrown
     * @param now without a drain
     */
    public void shutdown(AsyncCancellation reason, boolean now) {
        Loop running;
        synchronized (this) {
            running = loop;
            if (running == null) {
                earlyShutdown = reason;
                withoutDrain |= now;
            }
        }
        if (running != null) request(running, reason, now);
    }

    private static void request(Loop running, AsyncCancellation reason, boolean now) {
        running.bring(() -> running.inService(() -> {
            if (now) running.shutDownNow(reason);
            else running.shutDown(reason);
        }));
    }

    /**
     * Registers a drain hook. Does nothing after the run's end. Any thread, at any time.
     *
     * @param hook may wait
     * @return removes it, from any thread
     */
    public Runnable onDrain(Body hook) {
        var registered = new Drain.Hook(hook);
        onLoop(running -> running.drain().add(registered));
        return () -> onLoop(running -> running.drain().remove(registered));
    }

    /** Does something with the loop: at once, soon if this is another thread, or first of all when the run begins. */
    private void onLoop(Consumer<Loop> action) {
        Loop running;
        synchronized (this) {
            running = loop;
            if (running == null) {
                if (earlyTasks != null) earlyActions.add(action);
                return;
            }
        }
        if (Runtimes.hereOrNull() == running) action.accept(running);
        else running.bring(() -> action.accept(running));
    }

    /** True while the run drains. Any thread. */
    public boolean isDraining() {
        Loop running = loop();
        return running != null && running.drain().isActive();
    }

    /** The run's loop; null before it begins and after its end. Any thread. */
    public synchronized @Nullable Loop loop() {
        return loop;
    }

    /** The coroutines that did not end; empty before the run has ended. Any thread. */
    public synchronized List<String> survivors() {
        return survivors;
    }
}
