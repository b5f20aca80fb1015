package org.trueasync.internal.kernel;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;

/**
 * Errors that nobody handled. The first one shuts the runtime down and is what {@code run} throws in the end; those after it join it, the
 * newest outermost.
 *
 * <p>A coroutine's error is held back while somebody may still ask for it: until the handle is unreachable or the run drains. Of a coroutine whose
 * handle nobody has, it counts at once.
 */
final class UnhandledErrors {
    private final Scheduler scheduler;
    private final ReferenceQueue<CoroutineImpl<?>> unreachable = new ReferenceQueue<>();
    private final List<UnobservedFailure> unobserved = new ArrayList<>();
    private @Nullable Throwable exit;

    UnhandledErrors(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void failed(CoroutineImpl<?> coroutine, Throwable error) {
        if (coroutine.isInternal()) {
            unhandled(error);
            return;
        }
        if (coroutine.isMain()) {
            unhandled(error);
            return;
        }
        var origin = new SpawnTrace(coroutine.id(), coroutine.spawnLocation());
        if (coroutine.isFireAndForget()) {
            unhandled(error, origin);
        } else {
            unobserved.removeIf(f -> f.observed);
            var failure = new UnobservedFailure(coroutine, error, origin, unreachable);
            coroutine.extras().failure = failure;
            unobserved.add(failure);
        }
    }

    private void unhandled(Throwable error, SpawnTrace origin) {
        boolean described = false;
        for (Throwable s : error.getSuppressed()) described |= s instanceof SpawnTrace;
        if (!described) error.addSuppressed(origin);
        unhandled(error);
    }

    /** An error that has nowhere else to go. */
    void unhandled(Throwable error) {
        Throwable earlier = exit;
        exit = earlier == null ? error : chain(error, earlier);
        var reason = new AsyncCancellation("shutdown after an unhandled error: " + error, error);
        if (scheduler.ending.isShuttingDown()) scheduler.inService(scheduler.ending::giveUp);
        else scheduler.inService(() -> scheduler.ending.shutDown(reason));
    }

    /**
     * Becomes what {@code run} throws, with what it was going to throw as its cause, and shuts nothing down: the run is ending, or is dealt with
     * otherwise.
     */
    void atEnd(Throwable error) {
        exit = exit == null ? error : chain(error, exit);
    }

    private static Throwable chain(Throwable newest, Throwable earlier) {
        if (newest == earlier) return newest;
        for (Throwable t = earlier; t != null; t = t.getCause()) if (t == newest) return earlier;
        return Throwing.chained(newest, earlier);
    }

    /** Errors whose coroutine nobody can ask any more. */
    void collectUnreachable() {
        Reference<?> gone;
        while ((gone = unreachable.poll()) != null) {
            var failure = (UnobservedFailure) gone;
            unobserved.remove(failure);
            if (!failure.observed) unhandled(failure.error, failure.origin);
        }
    }

    /** At the end of the run: true if errors were found that nobody had asked for. */
    boolean reportUnobserved() {
        boolean found = false;
        for (UnobservedFailure failure : unobserved) {
            if (failure.observed) continue;
            found = true;
            unhandled(failure.error, failure.origin);
        }
        unobserved.clear();
        return found;
    }

    @Nullable
    Throwable exit() {
        return exit;
    }
}
