package org.trueasync.internal.kernel;

import java.util.Objects;
import org.trueasync.Context;

/** A coroutine of the scheduler's own: never listed, counted or cancelled. */
final class ServiceCoroutine {
    private final Scheduler scheduler;
    private final Service service;
    private final CoroutineImpl<?> coroutine;

    ServiceCoroutine(Scheduler scheduler, Service service) {
        this.scheduler = scheduler;
        this.service = service;
        var scope = new CoroutineScope(scheduler, new Context(null));
        coroutine = new CoroutineImpl<>(scope, 0, (Runnable) this::serve, CoroutineImpl.INTERNAL);
        scope.joined(coroutine);
    }

    CoroutineImpl<?> coroutine() {
        return coroutine;
    }

    /*
     * When it has nothing to do it goes straight to the frame. A tick on the way out could meet a lock in a microtask, and it would be taken for
     * idle while it stands there.
     */
    private void serve() {
        do {
            Runnable job;
            while ((job = service.nextJob()) != null) {
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

    /** Ends it while it is idle. In the loop's frame. */
    void end() {
        Objects.requireNonNull(coroutine.context).mount();
    }
}
