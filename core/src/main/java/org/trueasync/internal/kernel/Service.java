package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.recorder.CoroutineEvents;

/**
 * Does the work that may meet a lock, and so must not be done in the loop's frame: reports, shutdown, interrupts,
 * switch handlers of coroutines that JDK code has parked, microtasks while no coroutine runs. A job that has to wait
 * for a lock holds up no other one: then another service coroutine does the next jobs.
 */
final class Service {
    private final Loop loop;
    private final List<ServiceCoroutine> idle = new ArrayList<>(2);
    /** The coroutines of those that have a job. */
    private final List<Coroutine<?>> busy;

    /** The service coroutine that has taken a job last. */
    private @Nullable ServiceCoroutine running;

    /**
     * The largest number of drains in a row; then the coroutines have their turn. Microtasks may bring others for ever,
     * through other threads or arrivals.
     */
    private static final int MAX_DRAINS = 16;

    /** The drains since the coroutines had their turn. */
    private int drains;

    /** The last drain has left microtasks: it has reached its own bound, or one of them has thrown. */
    private boolean microtasksLeft;

    private final Runnable drain = this::drainMicrotasks;
    private boolean quit;

    Service(Loop loop) {
        this.loop = loop;
        this.busy = loop.agenda.serving;
        // The first one is made before the run begins: when it is needed there may be no memory for it.
        idle.add(new ServiceCoroutine(loop, this));
    }

    /** True if a job has not been finished. */
    boolean isBusy() {
        return !busy.isEmpty() || loop.agenda.hasJobs();
    }

    /** A service coroutine for the next job, or null if there is no job. In the loop's frame, which runs it at once. */
    @Nullable
    CoroutineImpl<?> takeIfReady() {
        if (!loop.agenda.hasJobs()) return null;
        FaultPoint.pass();
        ServiceCoroutine worker = idle.isEmpty() ? new ServiceCoroutine(loop, this) : idle.removeLast();
        busy.add(worker.coroutine());
        return worker.coroutine();
    }

    @Nullable
    Runnable nextJob(ServiceCoroutine worker) {
        running = worker;
        return loop.agenda.jobs.poll();
    }

    /** Makes a service coroutine idle, as there is no job; false if it should end. */
    boolean mayIdle(ServiceCoroutine worker) {
        busy.remove(worker.coroutine());
        if (quit || !idle.isEmpty()) return false;
        idle.add(worker);
        return true;
    }

    /** Removes a service coroutine that has ended, in the ordinary way or not. */
    void remove(ServiceCoroutine worker) {
        busy.remove(worker.coroutine());
        if (!quit) idle.remove(worker);
    }

    /** Removes a service coroutine that could not be given a stack. Its job is still there for another one. */
    void notBegun(CoroutineImpl<?> service) {
        busy.remove(service);
    }

    boolean isQuitting() {
        return quit;
    }

    /**
     * A service coroutine to drain the microtasks, before any other job; null if they are not to be drained now. In the
     * loop's frame, which runs it at once.
     */
    @Nullable
    CoroutineImpl<?> takeForMicrotasks() {
        if (microtasksLeft || drains == MAX_DRAINS || !loop.agenda.microtasks.canDrain()) return null;
        if (!loop.agenda.drainRequested) loop.agenda.jobs.addFirst(drain); // this may find no memory
        loop.agenda.drainRequested = true;
        drains++;
        return takeIfReady();
    }

    /** Allows drains again: what comes after the microtasks in a tick has its turn now. */
    void microtasksMayGoOn() {
        microtasksLeft = false;
        drains = 0;
    }

    private void drainMicrotasks() {
        loop.agenda.drainRequested = false;
        loop.scheduler.runMicrotasks();
        microtasksLeft = loop.agenda.microtasks.canDrain();
    }

    /** Requests LEAVE for a coroutine that JDK code has parked. No other coroutine runs before that. */
    void leave(CoroutineImpl<?> parked) {
        loop.agenda.jobs.addFirst(() -> Objects.requireNonNull(running).leave(parked));
    }

    /**
     * Requests ENTER for a coroutine that comes back from JDK code, and goes on after it. If LEAVE is still under way,
     * ENTER follows that.
     */
    void enter(CoroutineImpl<?> returning) {
        SwitchHandlerList handlers = returning.switchHandlers();
        if (handlers != null && handlers.isServed()) handlers.returnLater();
        else loop.agenda.jobs.addFirst(() -> Objects.requireNonNull(running).enter(returning));
    }

    /** Handles a context that JDK code has parked. */
    void parked(ExecutionContext context) {
        loop.remoteQueue.parked(context);
        loop.sockets.left();
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine != null) {
            if (coroutine.isInternal()) release(coroutine);
            Turns.parked(coroutine, context);
            Cancellation cancellation = coroutine.cancellationOrNull();
            if (cancellation != null) cancellation.parked();
        }
        if (loop.shutdown.looksForExits(coroutine)) loop.inService(() -> loop.shutdown.noteIfExits(context));
        left(coroutine);
    }

    /**
     * Runs the LEAVE handlers of a coroutine that JDK code has parked, or that has yielded there: they
     * could not run in the coroutine's own context.
     */
    void left(@Nullable CoroutineImpl<?> coroutine) {
        if (coroutine == null) return;
        if (CoroutineEvents.suspend()) CoroutineRecords.suspendsInJdkCode(coroutine);
        SwitchHandlerList handlers = coroutine.switchHandlers();
        if (handlers != null && !handlers.isEmpty() && handlers.isEntered() && !coroutine.refusesWaits())
            leave(coroutine);
    }

    /** Lets the coroutine go on that this service coroutine serves, as it is held up itself. */
    private static void release(CoroutineImpl<?> service) {
        if (service.task() instanceof ServiceCoroutine worker) worker.release();
    }

    /** Ends the idle service coroutines; the others end with their job. In the loop's frame. */
    void retire() {
        quit = true;
        for (ServiceCoroutine worker : idle) worker.end();
        idle.clear();
    }
}
