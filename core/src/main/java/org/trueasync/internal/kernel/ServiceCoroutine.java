package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Context;

/**
 * The scheduler's own coroutine: never listed, counted or cancelled. It does what may run into a lock and so may not be done in the loop's frame:
 * reports, shutdown, switch handlers of coroutines that JDK code parked, microtasks while nobody else runs.
 */
final class ServiceCoroutine {
    private final Scheduler scheduler;
    private final ArrayDeque<Runnable> jobs = new ArrayDeque<>();
    private @Nullable CoroutineImpl<?> coroutine;
    private boolean idle = true;
    /** The coroutine whose switch handlers run here. */
    private @Nullable CoroutineImpl<?> serving;

    private boolean quit;

    ServiceCoroutine(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void request(Runnable job) {
        jobs.add(job);
    }

    /** True if it should be given control. */
    boolean hasWork() {
        return idle && !jobs.isEmpty();
    }

    /** True if it has not finished what it was asked for. */
    boolean isBusy() {
        return !idle || !jobs.isEmpty();
    }

    @Nullable
    CoroutineImpl<?> takeIfReady() {
        if (!hasWork()) return null;
        idle = false;
        if (coroutine == null) {
            var scope = new CoroutineScope(scheduler, new Context(null));
            coroutine = new CoroutineImpl<>(scope, 0, (Runnable) this::serve, CoroutineImpl.INTERNAL);
            scope.joined(coroutine);
        }
        return coroutine;
    }

    private void serve() {
        CoroutineImpl<?> self = java.util.Objects.requireNonNull(coroutine);
        while (!quit) {
            Runnable job = jobs.poll();
            if (job == null) {
                idle = true;
                scheduler.switchAway(self);
                continue;
            }
            try {
                job.run();
            } catch (Throwable e) {
                scheduler.errors.unhandled(e);
            }
            scheduler.current = self;
        }
    }

    void drainMicrotasks() {
        if (idle && jobs.isEmpty()) request(scheduler::drainMicrotasks);
    }

    boolean isServing(CoroutineImpl<?> returning) {
        return serving == returning;
    }

    /** LEAVE for a coroutine that JDK code has parked: nobody else runs before it. */
    void leave(CoroutineImpl<?> parked) {
        jobs.addFirst(() -> serve(parked, parked::leave));
    }

    /** ENTER for a coroutine that comes back from JDK code; then it goes on. */
    void enter(CoroutineImpl<?> returning) {
        jobs.addFirst(() -> {
            serve(returning, returning::enter);
            scheduler.goOnNext(returning);
        });
    }

    private void serve(CoroutineImpl<?> other, Supplier<@Nullable Throwable> handlers) {
        serving = other;
        scheduler.current = other;
        Throwable thrown = handlers.get();
        serving = null;
        if (thrown != null) other.failLater(thrown);
    }

    /** Ends it. In the loop's frame. */
    void retire() {
        quit = true;
        if (coroutine != null && coroutine.context != null && coroutine.context.state == ExecutionContext.HELD) {
            coroutine.context.mount();
        }
    }
}
