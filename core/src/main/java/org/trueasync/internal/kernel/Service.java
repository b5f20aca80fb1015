package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.queue.JobQueue;

/**
 * Does what may run into a lock and so may not be done in the loop's frame: reports, shutdown, switch handlers of coroutines that JDK code
 * parked, microtasks while nobody else runs. A job that does run into one holds up no other: there are as many service coroutines as it takes.
 */
final class Service {
    private final Scheduler scheduler;
    private final JobQueue jobs = new JobQueue();
    private final List<ServiceCoroutine> idle = new ArrayList<>(2);
    private final List<ServiceCoroutine> busy = new ArrayList<>(2);

    /** The one whose job begins now. */
    private @Nullable ServiceCoroutine running;

    private boolean drainRequested;

    /** So many drains before everybody else has a turn: what they run may bring others, through other threads or arrivals, for ever. */
    private static final int MOST_DRAINS = 16;

    /** Since everybody else had a turn. */
    private int drains;

    /** The last drain has reached its own bound. */
    private boolean microtasksLeft;

    /** There was no memory to ask for the end of the run in the ordinary way. */
    private boolean endRequested;

    private final Runnable end = this::endAtOnce;
    private final Runnable drain = this::drainMicrotasks;
    private boolean quit;

    Service(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Makes the first one before the run begins: when it is needed there may be no memory for it. */
    void prepare() {
        idle.add(new ServiceCoroutine(scheduler, this));
    }

    void request(Runnable job) {
        jobs.add(job);
    }

    /** Has the run end at once, whoever is still there; takes no memory. */
    void requestEnd() {
        endRequested = true;
    }

    private void endAtOnce() {
        scheduler.shutdown.endWithoutWaiting();
    }

    /** Nothing that was asked for will be done: there is no memory to do it. */
    void abandon() {
        endRequested = false;
        drainRequested = false;
        jobs.clear();
        busy.clear();
        scheduler.discardMicrotasks();
    }

    /** True if somebody should be given control for it. */
    boolean hasWork() {
        return endRequested || !jobs.isEmpty();
    }

    /** True if there is more to do than what one of them does now. */
    boolean hasMoreWork() {
        return busy.size() > 1 || hasWork();
    }

    /** True if something that was asked for has not been finished. */
    boolean isBusy() {
        return !busy.isEmpty() || hasWork();
    }

    /** Somebody to do the next job, or null if there is none. In the loop's frame, which runs him at once. */
    @Nullable
    CoroutineImpl<?> takeIfReady() {
        if (!hasWork()) return null;
        FaultPoint.pass();
        ServiceCoroutine worker = idle.isEmpty() ? new ServiceCoroutine(scheduler, this) : idle.removeLast();
        busy.add(worker);
        return worker.coroutine();
    }

    /** Those that do something, or are held up. */
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

    /** One of them has nothing to do; false if it should end. */
    boolean mayIdle(ServiceCoroutine worker) {
        busy.remove(worker);
        if (quit || !idle.isEmpty()) return false;
        idle.add(worker);
        return true;
    }

    /** One of them has ended, as it should or not: nothing waits for it. */
    void gone(ServiceCoroutine worker) {
        busy.remove(worker);
        if (!quit) idle.remove(worker);
    }

    /** One of them could not be given a stack: its job is still there for another one. */
    void notBegun(CoroutineImpl<?> service) {
        busy.removeIf(worker -> worker.coroutine() == service);
    }

    boolean isQuitting() {
        return quit;
    }

    /** Somebody to drain the microtasks, before any other job, or null if nobody should. In the loop's frame, which runs it at once. */
    @Nullable
    CoroutineImpl<?> takeForMicrotasks() {
        if (microtasksLeft || drains == MOST_DRAINS || !scheduler.microtasks.canDrain()) return null;
        if (!drainRequested) jobs.addFirst(drain); // which may find no memory
        drainRequested = true;
        drains++;
        return takeIfReady();
    }

    /** What comes after the microtasks in a tick has had its turn. */
    void microtasksMayGoOn() {
        microtasksLeft = false;
        drains = 0;
    }

    private void drainMicrotasks() {
        drainRequested = false;
        scheduler.runMicrotasks();
        microtasksLeft = scheduler.microtasks.canDrain();
    }

    /** LEAVE for a coroutine that JDK code has parked: nobody else runs before it. */
    void leave(CoroutineImpl<?> parked) {
        jobs.addFirst(() -> Objects.requireNonNull(running).leave(parked));
    }

    /** ENTER for a coroutine that comes back from JDK code; then it goes on. While its LEAVE is still under way, after that. */
    void enter(CoroutineImpl<?> returning) {
        SwitchHandlerList handlers = returning.switchHandlers();
        if (handlers != null && handlers.isServed()) handlers.returnLater();
        else jobs.addFirst(() -> Objects.requireNonNull(running).enter(returning));
    }

    /** JDK code has parked one of them. */
    void heldUp(CoroutineImpl<?> service) {
        for (ServiceCoroutine worker : busy) {
            if (worker.coroutine() == service) {
                worker.letGo();
                return;
            }
        }
    }

    /** Ends those that are idle; the others end with their job. In the loop's frame. */
    void retire() {
        quit = true;
        for (ServiceCoroutine worker : idle) worker.end();
        idle.clear();
    }
}
