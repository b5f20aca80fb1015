package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.failure.ExitErrors;
import org.trueasync.internal.failure.FailureNotices;
import org.trueasync.internal.failure.FailureReason;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.UnobservedFailure;
import org.trueasync.internal.failure.UnobservedOutcomes;

/**
 * Errors that no code has handled. The first one shuts the runtime down. In the end {@code run} throws the newest one,
 * with the earlier ones as its causes; but a deadlock stays outermost (see {@link ExitErrors}).
 *
 * <p>A coroutine's error is held back while code may still ask for it: until the handle is unreachable or the run
 * drains. If no code has the handle, the error counts at once. While it is held back, it is reported once
 * ({@link FailureNotices}).
 */
final class UnhandledErrors {
    private static final int RESERVE = 64 << 10;

    private final Loop loop;
    private final Set<UnobservedFailure> unobserved = new LinkedHashSet<>();
    /** See {@link Loop#addLateReport}. */
    final Set<Runnable> lateReports = new LinkedHashSet<>();
    /** Outcomes of futures and the like that no code has taken so far; they end no run. */
    final UnobservedOutcomes unawaited;
    /** Failures that are reported soon. */
    final FailureNotices notices;

    /** Memory for the end of the run: the end needs some, also if it comes because the heap is full. */
    @SuppressWarnings("unused") // held, never read
    private byte @Nullable [] reserve = new byte[RESERVE];

    private final ExitErrors exit = new ExitErrors();

    UnhandledErrors(Loop loop) {
        this.loop = loop;
        var diagnostics = loop.settings.diagnostics();
        this.unawaited = new UnobservedOutcomes(loop::inService, loop::postToService, diagnostics);
        this.notices = new FailureNotices(loop.reactor, loop.timers, loop::inService, diagnostics);
    }

    /** Keeps or reports the error of a coroutine. Never throws. */
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
        if (coroutine.kind().isForgotten) {
            unhandled(coroutine, error);
        } else {
            var failure = new UnobservedFailure(coroutine, error, FailureText.origin(coroutine), this::handleGone);
            coroutine.custody().keep(failure);
            unobserved.add(failure);
            notices.add(failure::isDue, () -> {
                loop.happened("error", 0, "nobody awaits " + error.getClass().getName());
                return failure.text();
            });
        }
    }

    /** Handles an error of a coroutine that no scope has taken. Never throws. */
    void unhandled(CoroutineImpl<?> coroutine, Throwable error) {
        try {
            FaultPoint.pass();
            FailureText.origin(coroutine).attachTo(error);
        } catch (Throwable noMemory) {
            // the error goes without its origin
        }
        unhandled(error);
    }

    /** As {@link #atEnd(Throwable)}, for an error of a coroutine. */
    void atEnd(CoroutineImpl<?> coroutine, Throwable error) {
        FailureText.origin(coroutine).attachTo(error);
        atEnd(error);
    }

    /**
     * Shuts the run down because of an error that has nowhere else to go. Never throws: the caller is in the middle of
     * work that must be completed.
     *
     * <p>The first error of the JVM's own frees the reserve, which is to do for an orderly end. If it does not, the run
     * is abandoned: it ends at once, and its coroutines are left where they are.
     */
    void unhandled(Throwable error) {
        if (error instanceof VirtualMachineError) reserve = null;
        loop.happened("error", 0, "unhandled " + error.getClass().getName());
        atEnd(error);
        try {
            FaultPoint.pass();
            if (loop.shutdown.isOver() && error instanceof OutOfMemoryError) loop.shutdown.abandon();
            else loop.inService(loop.shutdown.isShuttingDown() ? loop.shutdown::endWithoutWaiting : shutDown(error));
        } catch (Throwable noMemory) {
            loop.shutdown.abandon();
        }
    }

    private Runnable shutDown(Throwable error) {
        return () -> loop.shutdown.shutDownNow(new FailureReason("shutdown after an unhandled error", error, true));
    }

    /**
     * Makes an error what {@code run} throws, with what it was going to throw as its cause. Shuts nothing down: the run
     * is ending, or the caller deals with it.
     */
    void atEnd(Throwable error) {
        exit.note(error);
    }

    /** Called when the handle of a failed coroutine is unreachable. Any thread. */
    void handleGone(UnobservedFailure failure) {
        loop.post(() -> {
            if (!unobserved.remove(failure)) return;
            failure.settle();
            failure.origin.attachTo(failure.error);
            unhandled(failure.error);
        });
    }

    /** Removes a failure whose error was asked for, or will be given to a waiter. */
    void observed(UnobservedFailure failure) {
        unobserved.remove(failure);
        failure.settle();
    }

    /** Reports the unobserved errors and due notices at the end of the run; true if there were any. */
    boolean reportUnobserved() {
        if (unobserved.isEmpty() && lateReports.isEmpty()) return notices.writeAll();
        List<UnobservedFailure> failures = List.copyOf(unobserved);
        List<Runnable> reports = List.copyOf(lateReports);
        unobserved.clear();
        lateReports.clear();
        reports.forEach(Runnable::run);
        for (UnobservedFailure failure : failures) {
            failure.settle();
            failure.origin.attachTo(failure.error);
            if (loop.isShuttingDown()) atEnd(failure.error); // its clean-up actions may still wait
            else unhandled(failure.error);
        }
        return true;
    }

    @Nullable
    Throwable exit() {
        return exit.combined();
    }
}
