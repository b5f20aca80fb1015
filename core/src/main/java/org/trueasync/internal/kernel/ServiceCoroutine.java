package org.trueasync.internal.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.task.CoroutineKind;

/** A coroutine of the scheduler's own: never listed, counted or cancelled. */
final class ServiceCoroutine implements Runnable {
    private final Loop loop;
    private final Service service;
    private final CoroutineImpl<?> coroutine;

    /** The coroutine whose switch handlers run here; it waits for them. */
    private @Nullable CoroutineImpl<?> served;

    private @Nullable SwitchHandlerList handlers;
    private boolean entering;

    ServiceCoroutine(Loop loop, Service service) {
        this.loop = loop;
        this.service = service;
        var scope = CoroutineScope.unlisted(loop);
        // not a lambda: with a full heap it could not be linked
        coroutine = new CoroutineImpl<>(scope, 0, this, CoroutineKind.INTERNAL);
        scope.joined(coroutine);
    }

    CoroutineImpl<?> coroutine() {
        return coroutine;
    }

    /*
     * Without a job it goes straight to the loop's frame, without a tick. A microtask in such a tick could meet a lock,
     * and the coroutine would be taken for idle while it waits there.
     */
    @Override
    public void run() {
        try {
            doJobs();
        } finally {
            service.remove(this); // also if it ends for want of memory to suspend
        }
    }

    private void doJobs() {
        do {
            Runnable job;
            while ((job = service.nextJob(this)) != null) {
                try {
                    job.run();
                } catch (Throwable e) {
                    loop.errors.unhandled(e);
                }
                loop.current = coroutine;
            }
        } while (service.mayIdle(this)
                && Suspension.ofIdle(Objects.requireNonNull(coroutine.context))
                && !service.isQuitting());
    }

    // ---- switch handlers of others

    void leave(CoroutineImpl<?> parked) {
        if (JdkWait.isParked(parked)) serve(parked, false);
    }

    void enter(CoroutineImpl<?> returning) {
        serve(returning, true);
    }

    private void serve(CoroutineImpl<?> other, boolean isEnter) {
        SwitchHandlerList switchHandlers = Objects.requireNonNull(other.switchHandlers());
        served = other;
        handlers = switchHandlers;
        entering = isEnter;
        switchHandlers.setServed(true);
        loop.current = other;
        try {
            Throwable thrown = isEnter ? switchHandlers.enter(other) : switchHandlers.leave(other);
            if (thrown == null) return;
            if (other.isCompleted()) loop.errors.unhandled(thrown);
            else other.failLater(thrown);
        } finally {
            release();
        }
    }

    /**
     * Lets the coroutine that it serves go on. Also called when a handler meets a lock: it may be the very lock that
     * the served coroutine is the next one to get. In the loop's frame or here.
     */
    void release() {
        CoroutineImpl<?> other = served;
        SwitchHandlerList switchHandlers = handlers;
        if (other == null || switchHandlers == null) return;
        served = null;
        handlers = null;
        switchHandlers.setServed(false);
        if (entering) loop.agenda.queue.addFirst(other); // it was taken off the run queue before its ENTER
        else if (switchHandlers.takeReturn()) service.enter(other);
    }

    /** Ends it while it is idle; one that has never begun has no stack to be ended on. In the loop's frame. */
    void end() {
        ExecutionContext context = coroutine.context;
        if (context != null) context.mount();
    }
}
