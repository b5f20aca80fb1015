package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.queue.JobQueue;

/**
 * Does the work that may meet a lock, and so must not be done in the loop's frame: reports, shutdown, interrupts,
 * switch handlers of coroutines that JDK code has parked, microtasks while no coroutine runs. A job that has to wait
 * for a lock holds up no other one: then another service coroutine does the next jobs.
 */
final class Service {
    private final Loop loop;
    private final JobQueue jobs = new JobQueue();
    private final List<ServiceCoroutine> idle = new ArrayList<>(2);
    private final List<ServiceCoroutine> busy = new ArrayList<>(2);

    /** The service coroutine that has taken a job last. */
    private @Nullable ServiceCoroutine running;

    private boolean drainRequested;

    /**
     * The largest number of drains in a row; then the coroutines have their turn. Microtasks may bring others for ever,
     * through other threads or arrivals.
     */
    private static final int MAX_DRAINS = 16;

    /** The drains since the coroutines had their turn. */
    private int drains;

    /** The last drain has left microtasks: it has reached its own bound, or one of them has thrown. */
    private boolean microtasksLeft;

    /** The end of the run was requested when there was no memory for a job. */
    private boolean endRequested;

    private final Runnable end = this::endAtOnce;
    private final Runnable drain = this::drainMicrotasks;
    private boolean quit;

    Service(Loop loop) {
        this.loop = loop;
    }

    /** Makes the first service coroutine before the run begins: when it is needed there may be no memory for it. */
    void prepare() {
        idle.add(new ServiceCoroutine(loop, this));
    }

    void request(Runnable job) {
        jobs.add(job);
    }

    /** Has the run end at once, without a graceful shutdown; takes no memory. */
    void requestEnd() {
        endRequested = true;
    }

    private void endAtOnce() {
        loop.shutdown.endWithoutWaiting();
    }

    /** Drops all jobs and microtasks, as there is no memory for them. */
    void abandon() {
        endRequested = false;
        drainRequested = false;
        jobs.clear();
        busy.clear();
        loop.discardMicrotasks();
    }

    /** True if there is a job that no service coroutine has taken. */
    boolean hasWork() {
        return endRequested || !jobs.isEmpty();
    }

    /** True if there is more to do than what one service coroutine does now. */
    boolean hasMoreWork() {
        return busy.size() > 1 || hasWork();
    }

    /** True if a job has not been finished. */
    boolean isBusy() {
        return !busy.isEmpty() || hasWork();
    }

    /** A service coroutine for the next job, or null if there is no job. In the loop's frame, which runs it at once. */
    @Nullable
    CoroutineImpl<?> takeIfReady() {
        if (!hasWork()) return null;
        FaultPoint.pass();
        ServiceCoroutine worker = idle.isEmpty() ? new ServiceCoroutine(loop, this) : idle.removeLast();
        busy.add(worker);
        return worker.coroutine();
    }

    /** The service coroutines that have a job, held up or not. */
    List<CoroutineImpl<?>> coroutines() {
        var all = new ArrayList<CoroutineImpl<?>>(busy.size());
        for (ServiceCoroutine worker : busy) all.add(worker.coroutine());
        return all;
    }

    @Nullable
    Runnable nextJob(ServiceCoroutine worker) {
        running = worker;
        if (!endRequested) return jobs.poll();
        endRequested = false;
        return end;
    }

    /** Makes a service coroutine idle, as there is no job; false if it should end. */
    boolean mayIdle(ServiceCoroutine worker) {
        busy.remove(worker);
        if (quit || !idle.isEmpty()) return false;
        idle.add(worker);
        return true;
    }

    /** Removes a service coroutine that has ended, in the ordinary way or not. */
    void remove(ServiceCoroutine worker) {
        busy.remove(worker);
        if (!quit) idle.remove(worker);
    }

    /** Removes a service coroutine that could not be given a stack. Its job is still there for another one. */
    void notBegun(CoroutineImpl<?> service) {
        busy.removeIf(worker -> worker.coroutine() == service);
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
        if (microtasksLeft || drains == MAX_DRAINS || !loop.microtasks.canDrain()) return null;
        if (!drainRequested) jobs.addFirst(drain); // this may find no memory
        drainRequested = true;
        drains++;
        return takeIfReady();
    }

    /** Allows drains again: what comes after the microtasks in a tick has its turn now. */
    void microtasksMayGoOn() {
        microtasksLeft = false;
        drains = 0;
    }

    private void drainMicrotasks() {
        drainRequested = false;
        loop.runMicrotasks();
        microtasksLeft = loop.microtasks.canDrain();
    }

    /** Requests LEAVE for a coroutine that JDK code has parked. No other coroutine runs before that. */
    void leave(CoroutineImpl<?> parked) {
        jobs.addFirst(() -> Objects.requireNonNull(running).leave(parked));
    }

    /**
     * Requests ENTER for a coroutine that comes back from JDK code, and goes on after it. If LEAVE is still under way,
     * ENTER follows that.
     */
    void enter(CoroutineImpl<?> returning) {
        SwitchHandlerList handlers = returning.switchHandlers();
        if (handlers != null && handlers.isServed()) handlers.returnLater();
        else jobs.addFirst(() -> Objects.requireNonNull(running).enter(returning));
    }

    /** Called when JDK code has parked a service coroutine: the coroutine that it serves goes on. */
    void parkedInJdk(CoroutineImpl<?> service) {
        for (ServiceCoroutine worker : busy) {
            if (worker.coroutine() == service) {
                worker.release();
                return;
            }
        }
    }

    /** Ends the idle service coroutines; the others end with their job. In the loop's frame. */
    void retire() {
        quit = true;
        for (ServiceCoroutine worker : idle) worker.end();
        idle.clear();
    }
}
