package org.trueasync.internal.kernel;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.UnobservedFailure;

/**
 * Where the error of a coroutine goes. Code that observes it is responsible for it. Until then a wait for several
 * coroutines may hold it. Otherwise it goes to the coroutine's scope or, if a wait for several has ended without it, to
 * the diagnostics. Few coroutines need this object.
 */
final class ErrorCustody {
    private final CoroutineImpl<?> coroutine;

    /** The record of the error until it is observed. */
    private @Nullable UnobservedFailure failure;

    /** See {@link #markNotNeeded}. */
    private boolean notNeeded;

    /** The error has been given to the scope. */
    private boolean givenToScope;

    /** Waits for several that have the error and have not ended. */
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
     * Notes that a wait for several has ended before the coroutine: its error is only reported from now on, and fails
     * neither scope nor run.
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

    /** Lets one more wait for several hold the error. False if the error was observed or handed to the scope before. */
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
        return coroutine.scheduler().errors;
    }

    /** Handles the outcome of a coroutine that has ended with an error or as cancelled and is not awaited. */
    static void unobserved(CoroutineImpl<?> coroutine, Throwable outcome) {
        if (outcome instanceof OperationCanceledException && !coroutine.isCancellationRequested()) {
            // It was not cancelled: a token of its own has fired. For main that is the end of the program.
            if (coroutine.isMain()) coroutine.scope().failed(coroutine, outcome);
            else if (outcome.getCause() != null) reportSoon(coroutine, outcome, FailureText::timedOut);
            return;
        }
        // the code that cancelled it deals with that, or it has ended itself in this way
        if (outcome instanceof AsyncCancellation) return;
        ErrorCustody custody = coroutine.custody();
        if (custody.notNeeded && !coroutine.isLaunched()) {
            reportSoon(coroutine, outcome, FailureText::lost);
        } else {
            custody.givenToScope = true;
            coroutine.scope().failed(coroutine, outcome);
        }
    }

    /** Has the error reported soon, unless it is asked for first. */
    private static void reportSoon(
            CoroutineImpl<?> coroutine, Throwable outcome, BiFunction<CoroutineImpl<?>, Throwable, String> text) {
        if (coroutine.isInternal()) return;
        coroutine.scheduler().errors.notices.add(() -> !coroutine.isObserved(), () -> text.apply(coroutine, outcome));
    }
}
