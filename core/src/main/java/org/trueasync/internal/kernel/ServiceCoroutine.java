package org.trueasync.internal.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A coroutine of the scheduler's own: never listed, counted or cancelled. */
final class ServiceCoroutine implements Runnable {
    private final Scheduler scheduler;
    private final Service service;
    private final CoroutineImpl<?> coroutine;

    /** Whose switch handlers run here, while that coroutine waits for them. */
    private @Nullable CoroutineImpl<?> served;

    private @Nullable SwitchHandlerList handlers;
    private boolean entering;

    ServiceCoroutine(Scheduler scheduler, Service service) {
        this.scheduler = scheduler;
        this.service = service;
        var scope = CoroutineScope.unlisted(scheduler);
        // not a lambda: with a full heap it could not be linked
        coroutine = new CoroutineImpl<>(scope, 0, this, CoroutineImpl.INTERNAL);
        scope.joined(coroutine);
    }

    CoroutineImpl<?> coroutine() {
        return coroutine;
    }

    /*
     * When it has nothing to do it goes straight to the frame. A tick on the way out could meet a lock in a microtask, and it would be taken for
     * idle while it stands there.
     */
    @Override
    public void run() {
        try {
            doJobs();
        } finally {
            service.gone(this); // it may end otherwise than it should, for want of memory to suspend
        }
    }

    private void doJobs() {
        do {
            Runnable job;
            while ((job = service.nextJob(this)) != null) {
                try {
                    job.run();
                } catch (Throwable e) {
                    scheduler.errors.unhandled(e);
                }
                scheduler.current = coroutine;
            }
        } while (service.mayIdle(this)
                && Objects.requireNonNull(coroutine.context).suspend()
                && !service.isQuitting());
    }

    // ---- switch handlers of others

    void leave(CoroutineImpl<?> parked) {
        if (JdkPark.isParked(parked)) serve(parked, false);
    }

    void enter(CoroutineImpl<?> returning) {
        serve(returning, true);
    }

    private void serve(CoroutineImpl<?> other, boolean isEnter) {
        SwitchHandlerList all = Objects.requireNonNull(other.switchHandlers());
        served = other;
        handlers = all;
        entering = isEnter;
        all.setServed(true);
        scheduler.current = other;
        try {
            Throwable thrown = isEnter ? all.enter(other) : all.leave(other);
            if (thrown == null) return;
            if (other.isCompleted()) scheduler.errors.unhandled(thrown);
            else other.failLater(thrown);
        } finally {
            letGo();
        }
    }

    /**
     * Whom it serves does not wait for it any longer. Also when a handler meets a lock: it may be the very lock that the coroutine it serves is next
     * in line for. In the loop's frame or here.
     */
    void letGo() {
        CoroutineImpl<?> other = served;
        SwitchHandlerList all = handlers;
        if (other == null || all == null) return;
        served = null;
        handlers = null;
        all.setServed(false);
        if (entering) scheduler.queue.addFirst(other); // it was taken off too early
        else if (all.takeReturn()) service.enter(other);
    }

    /** Ends it while it is idle; one that has never begun has no stack to be ended on. In the loop's frame. */
    void end() {
        ExecutionContext context = coroutine.context;
        if (context != null) context.mount();
    }
}
