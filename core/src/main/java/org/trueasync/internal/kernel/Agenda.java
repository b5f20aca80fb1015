package org.trueasync.internal.kernel;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.EventCount;
import org.trueasync.internal.foreign.LibraryThreads;
import org.trueasync.internal.queue.JobQueue;
import org.trueasync.internal.queue.MicrotaskQueue;
import org.trueasync.internal.queue.RunQueue;

/**
 * What a loop has to do: what is ready, and what may still bring something. Whether anything is left to do is asked
 * here, and nowhere else. Loop thread, where nothing else is said.
 */
final class Agenda {
    /**
     * What can run: coroutines, contexts without one, and tasks of virtual threads that libraries started on the loop.
     */
    final RunQueue queue;

    final MicrotaskQueue microtasks = new MicrotaskQueue();

    /** What service coroutines are to do, see {@link Service}. */
    final JobQueue jobs = new JobQueue();

    /** The service coroutines that have a job, held up or not. */
    final List<Coroutine<?>> serving = new ArrayList<>(2);

    /** False while entries of other threads wait to be taken in. */
    private final BooleanSupplier nothingArrived;

    /** What may fire; while there is one the run goes on. */
    final EventCount activeEvents;

    final LibraryThreads libraryThreads = new LibraryThreads();

    /** The executors handed out, see {@link LoopExecutor}. Any thread adds to them. */
    final List<WeakReference<?>> executors = new CopyOnWriteArrayList<>();

    /** How many coroutines have been spawned and have not ended, service coroutines not counted. */
    int alive;

    /** How many contexts JDK code has parked. */
    int blocked;

    /** What a tick has chosen, on its way to the loop's frame. */
    private @Nullable Object next;

    /** True while a drain of the microtasks is among the jobs. */
    boolean drainRequested;

    Agenda(RunQueue queue, BooleanSupplier nothingArrived, EventCount activeEvents) {
        this.queue = queue;
        this.nothingArrived = nothingArrived;
        this.activeEvents = activeEvents;
    }

    // ---- the next one

    /** Keeps what a tick has chosen for the loop's frame; null has the frame choose. */
    void setNext(@Nullable Object chosen) {
        next = chosen;
    }

    /** Takes what an earlier tick has chosen and the loop's frame has not mounted yet. */
    @Nullable
    Object takeNext() {
        Object chosen = next;
        if (chosen != null) next = null;
        return chosen;
    }

    /** Takes anything that is ready, and null if nothing is. For the end of the run. */
    @Nullable
    Object takeAny() {
        Object chosen = takeNext();
        return chosen != null ? chosen : queue.poll();
    }

    // ---- for the service

    /** True if there is a job that no service coroutine has taken. */
    boolean hasJobs() {
        return !jobs.isEmpty();
    }

    /** Drops all that is ready, and all jobs: the run is abandoned. Takes no memory. */
    void drop() {
        drainRequested = false;
        jobs.clear();
        serving.clear();
        while (takeAny() != null) {}
    }

    // ---- is anything left to do?

    /** True if nothing is ready: control that is given away now comes straight back. */
    boolean isEmpty() {
        return next == null && queue.isEmpty() && !microtasks.canDrain() && nothingArrived.getAsBoolean() && !hasJobs();
    }

    /**
     * True if nothing is ready, and no event can fire. In a service coroutine, whose own job does not count.
     */
    boolean isStalled() {
        return isEmpty() && serving.size() <= 1 && activeEvents.count() == 0;
    }

    /**
     * True if anything that we can see, or must assume, may still make a coroutine ready or bring new work.
     *
     * @param ending whether the run shuts down: then it waits for coroutines alone
     * @param exiting how many coroutines are inside {@code System.exit}, which never returns
     */
    boolean mayGetMore(boolean ending, int exiting) {
        if (ending && alive <= exiting) return false;
        if (activeEvents.count() > 0) return true;
        return alive > 0 && (blocked > exiting || libraryThreads.anyAlive() || isExecutorReachable());
    }

    /**
     * True if nothing is left but work that a holder of an executor may bring. In a service coroutine, as
     * {@link #isStalled}.
     */
    boolean hasOnlyExecutors() {
        return isStalled() && blocked == 0 && !libraryThreads.anyAlive() && isExecutorReachable();
    }

    /** True if an executor of this run is reachable. Forgets those that were collected. */
    private boolean isExecutorReachable() {
        if (executors.isEmpty()) return false;
        executors.removeIf(known -> known.get() == null);
        return !executors.isEmpty();
    }
}
