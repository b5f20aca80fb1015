package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.failure.ExitErrors;
import org.trueasync.internal.failure.FailureNotices;
import org.trueasync.internal.failure.FailureReason;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.UnobservedFailure;
import org.trueasync.internal.unobserved.UnobservedErrorHolder;

/**
 * Errors that nobody handled. The first one shuts the runtime down and is what {@code run} throws in the end; those after it join it, the
 * newest outermost, but a deadlock stays outermost.
 *
 * <p>A coroutine's error is held back while somebody may still ask for it: until the handle is unreachable or the run drains. Of a coroutine whose
 * handle nobody has, it counts at once. While it is held back it is told of ({@link FailureNotices}).
 */
final class UnhandledErrors {
    private static final int RESERVE = 64 << 10;

    private final Scheduler scheduler;
    private final Set<UnobservedFailure> unobserved = new LinkedHashSet<>();
    private final Set<UnobservedErrorHolder> keepers = new LinkedHashSet<>();
    /** Told of soon. */
    final FailureNotices notices;

    /** Memory for the end of the run: that may come because there is no other left, and takes some. */
    @SuppressWarnings("unused") // held, never read
    private byte @Nullable [] reserve = new byte[RESERVE];

    private final ExitErrors exit = new ExitErrors();

    UnhandledErrors(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.notices =
                new FailureNotices(scheduler.reactor, scheduler.timers, scheduler::inService, scheduler.diagnostics);
    }

    /** Never throws. */
    void failed(CoroutineImpl<?> coroutine, Throwable error) {
        try {
            keepOrReport(coroutine, error);
        } catch (Throwable noMemory) {
            unhandled(error);
        }
    }

    private void keepOrReport(CoroutineImpl<?> coroutine, Throwable error) {
        FaultPoint.pass();
        if (coroutine.isInternal() || coroutine.isMain()) {
            unhandled(error);
            return;
        }
        var origin = FailureText.origin(coroutine);
        if (coroutine.isForgotten()) {
            unhandled(error, origin);
        } else {
            var failure = new UnobservedFailure(coroutine, error, origin, this::handleGone);
            coroutine.custody().keep(failure);
            unobserved.add(failure);
            notices.add(failure);
        }
    }

    /** An error of a coroutine that no scope has taken. Never throws. */
    void unhandled(CoroutineImpl<?> coroutine, Throwable error) {
        try {
            describe(error, FailureText.origin(coroutine));
        } catch (Throwable noMemory) {
            // it goes without
        }
        unhandled(error);
    }

    private void unhandled(Throwable error, SpawnTrace origin) {
        try {
            describe(error, origin);
        } catch (Throwable noMemory) {
            // it goes without
        }
        unhandled(error);
    }

    private static void describe(Throwable error, SpawnTrace origin) {
        FaultPoint.pass();
        origin.attachTo(error);
    }

    /** As {@link #atEnd(Throwable)}, for an error of a coroutine. */
    void atEnd(CoroutineImpl<?> coroutine, Throwable error) {
        describe(error, FailureText.origin(coroutine));
        atEnd(error);
    }

    /**
     * An error that has nowhere else to go. Never throws: who calls this is in the middle of what must be brought to its end. Without memory for the graceful way the
     * run ends at once.
     */
    void unhandled(Throwable error) {
        if (error instanceof VirtualMachineError) reserve = null;
        atEnd(error);
        try {
            FaultPoint.pass();
            requestEnd(error);
        } catch (Throwable noMemory) {
            reserve = null;
            scheduler.service.requestEnd();
        }
    }

    private void requestEnd(Throwable error) {
        if (scheduler.shutdown.isShuttingDown()) {
            scheduler.inService(scheduler.shutdown::endWithoutWaiting);
        } else {
            scheduler.inService(() -> {
                FaultPoint.pass();
                scheduler.shutdown.shutDown(new FailureReason("shutdown after an unhandled error", error, true));
            });
        }
    }

    /**
     * Becomes what {@code run} throws, with what it was going to throw as its cause, and shuts nothing down: the run is ending, or is dealt with
     * otherwise.
     */
    void atEnd(Throwable error) {
        exit.note(error);
    }

    /** Nobody can ask a failed coroutine any more. Any thread. */
    void handleGone(UnobservedFailure failure) {
        scheduler.post(() -> {
            if (!unobserved.remove(failure)) return;
            failure.settle();
            unhandled(failure.error, failure.origin);
        });
    }

    /** Somebody has asked, or will be told. */
    void observed(UnobservedFailure failure) {
        unobserved.remove(failure);
        failure.settle();
    }

    /** From now on somebody keeps errors that nobody has asked for. */
    void kept(UnobservedErrorHolder keeper) {
        keepers.add(keeper);
    }

    /** All of its errors have been asked for. */
    void keptNoMore(UnobservedErrorHolder keeper) {
        keepers.remove(keeper);
    }

    /** At the end of the run: true if errors were found that nobody had asked for. */
    boolean reportUnobserved() {
        if (unobserved.isEmpty() && keepers.isEmpty()) return notices.tellAll();
        List<UnobservedFailure> failures = List.copyOf(unobserved);
        List<UnobservedErrorHolder> kept = List.copyOf(keepers);
        unobserved.clear();
        keepers.clear();
        for (UnobservedErrorHolder keeper : kept) keeper.reportErrors();
        for (UnobservedFailure failure : failures) {
            failure.settle();
            unhandled(failure.error, failure.origin);
        }
        return true;
    }

    @Nullable
    Throwable exit() {
        return exit.combined();
    }
}
