package org.trueasync.internal.kernel;

import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.SpawnTrace;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.UnobservedFailure;
import org.trueasync.internal.foreign.SentInterrupt;

/**
 * Decides where the error of a coroutine goes. Code that observes the error is responsible for it. Before that a wait
 * for several coroutines may hold the error. If no code observes or holds it, it goes to the coroutine's scope; or only
 * to the diagnostics, if a wait for several does not need it. Few coroutines have this object.
 */
final class ErrorCustody {
    private final CoroutineImpl<?> coroutine;

    /** The record of the error until it is observed. */
    private @Nullable UnobservedFailure failure;

    /** See {@link #markNotNeeded}. */
    private boolean notNeeded;

    /** True if the error has been given to the scope. */
    private boolean givenToScope;

    /** How many waits for several coroutines hold the error now. */
    private int holders;

    ErrorCustody(CoroutineImpl<?> coroutine) {
        this.coroutine = coroutine;
    }

    /** Keeps the record of an error that has not been observed. */
    void keep(UnobservedFailure unobserved) {
        failure = unobserved;
    }

    void observed() {
        if (failure != null) errors().observed(failure);
    }

    boolean isHeld() {
        return holders > 0;
    }

    /**
     * Notes that a wait for several does not need the coroutine's outcome: the wait has ended without it, or is a
     * select that may end without it. From now on an error of the coroutine is only reported, also one that is there
     * already. It fails neither scope nor run, unless the coroutine was launched and fails later.
     */
    void markNotNeeded() {
        notNeeded = true;
        UnobservedFailure known = failure;
        if (known == null) return;
        failure = null;
        errors().observed(known);
        reportSoon(coroutine, known.error, FailureText::lost);
    }

    void undoNotNeeded() {
        notNeeded = false;
    }

    /**
     * Lets one more wait for several hold the error. False if code has observed the error, or if the scope has taken it
     * for good. An error that is only recorded here can still be held.
     */
    boolean hold() {
        if (failure != null) {
            errors().observed(failure);
            failure = null;
            givenToScope = false;
        }
        if (coroutine.isObserved() || givenToScope) return false;
        holders++;
        return true;
    }

    /** Ends one {@link #hold}. True if that was the last one. */
    boolean release() {
        return --holders == 0;
    }

    private UnhandledErrors errors() {
        return coroutine.loop().errors;
    }

    /**
     * Handles the error or cancellation with which a coroutine has ended. Called if no code observes or holds it, or if
     * the coroutine was launched.
     */
    static void unobserved(CoroutineImpl<?> coroutine, Throwable outcome) {
        if (outcome instanceof OperationCanceledException && !coroutine.isCancellationRequested()) {
            // Nobody has cancelled it: a token of its own has ended. If it is main, its scope fails and the run ends.
            if (coroutine.isMain()) coroutine.scope().failed(coroutine, outcome);
            else if (outcome.getCause() != null) reportSoon(coroutine, outcome, FailureText::timedOut);
            return;
        }
        // Either the code that has cancelled it deals with that, or it has thrown the cancellation itself.
        if (outcome instanceof AsyncCancellation) return;
        ErrorCustody custody = coroutine.custody();
        if (custody.notNeeded && !coroutine.isLaunched()) {
            reportSoon(coroutine, outcome, FailureText::lost);
        } else {
            custody.givenToScope = true;
            coroutine.scope().failed(coroutine, outcome);
        }
    }

    /**
     * Has errors reported that are suppressed in the cancellation with which a coroutine ends, unless code gets that by
     * awaiting the coroutine. Others may end with the same cancellation: the first one tells. Called before the end is
     * told: who has observed the coroutine by now does so whatever comes, and looks into no cancellation.
     */
    static void reportCarried(CoroutineImpl<?> coroutine, AsyncCancellation cancellation) {
        if (coroutine.isInternal() || (coroutine.isMain() && !coroutine.isCancellationRequested())) return;
        boolean owned = coroutine.isObserved();
        for (Throwable error : cancellation.getSuppressed()) {
            if (error instanceof SpawnTrace || Causes.any(error, SentInterrupt::isCancelled)) continue;
            boolean isNew = FailureText.origin(coroutine).attachTo(error) && !coroutine.wasThrownByClose(error);
            Supplier<String> text = () -> FailureText.carried(coroutine, cancellation, error);
            if (isNew) coroutine.loop().errors.notices.add(() -> owned || !coroutine.isObserved(), text);
        }
    }

    /** Has the error reported soon, unless code asks for it first. Errors of service coroutines are not reported. */
    private static void reportSoon(
            CoroutineImpl<?> coroutine, Throwable outcome, BiFunction<CoroutineImpl<?>, Throwable, String> text) {
        if (coroutine.isInternal()) return;
        coroutine.loop().errors.notices.add(() -> !coroutine.isObserved(), () -> text.apply(coroutine, outcome));
    }
}
