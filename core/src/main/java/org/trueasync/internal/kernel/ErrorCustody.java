package org.trueasync.internal.kernel;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.failure.UnobservedFailure;

/**
 * Who answers for the error of a coroutine: whoever observes it; until then a wait for several that has it in its hands; else its scope, or, where a wait for several has ended
 * without it, the diagnostics. Few coroutines need one.
 */
final class ErrorCustody {
    private final CoroutineImpl<?> coroutine;

    /** What is kept of the error until somebody observes it. */
    private @Nullable UnobservedFailure failure;

    /** See {@link #waitEndedWithoutIt}. */
    private boolean lost;

    /** The error has been given to the scope. */
    private boolean handedOn;

    /** Waits for several that have the error and have not ended. */
    private int holders;

    ErrorCustody(CoroutineImpl<?> coroutine) {
        this.coroutine = coroutine;
    }

    /** Nobody has observed the error so far. */
    void keep(UnobservedFailure unobserved) {
        failure = unobserved;
    }

    void observed() {
        if (failure != null) errors().observed(failure);
    }

    boolean isHeld() {
        return holders > 0;
    }

    /** A wait for several has ended before the coroutine: an error is reported from now on, and ends nothing. */
    void waitEndedWithoutIt() {
        lost = true;
        UnobservedFailure known = failure;
        if (known == null) return;
        failure = null;
        errors().observed(known);
        reportSoon(coroutine, known.error, FailureText::lost);
    }

    void waitWasGivenUp() {
        lost = false;
    }

    /** A wait for several has the error and goes on; false if the error has gone its way before. */
    boolean hold() {
        if (failure != null) {
            errors().observed(failure);
            failure = null;
            handedOn = false;
        }
        if (coroutine.isObserved() || handedOn) return false;
        holders++;
        return true;
    }

    /** True if that was the last wait that held the error. */
    boolean letGo() {
        return --holders == 0;
    }

    private UnhandledErrors errors() {
        return coroutine.scheduler().errors;
    }

    /** It has ended with an error or as cancelled, and nobody awaits it. */
    static void unobserved(CoroutineImpl<?> coroutine, Throwable outcome) {
        if (outcome instanceof OperationCanceledException && !coroutine.isCancellationRequested()) {
            // Nobody has cancelled it: a token of its own has fired. For main that is the end of the program.
            if (coroutine.isMain()) coroutine.scope().failed(coroutine, outcome);
            else if (outcome.getCause() != null) reportSoon(coroutine, outcome, FailureText::timedOut);
            return;
        }
        // has been dealt with by whoever has cancelled it, or is its own wish
        if (outcome instanceof AsyncCancellation) return;
        ErrorCustody custody = coroutine.custody();
        if (custody.lost && !coroutine.isLaunched()) {
            reportSoon(coroutine, outcome, FailureText::lost);
        } else {
            custody.handedOn = true;
            coroutine.scope().failed(coroutine, outcome);
        }
    }

    /** Unless somebody asks for it first. */
    private static void reportSoon(
            CoroutineImpl<?> coroutine, Throwable outcome, BiFunction<CoroutineImpl<?>, Throwable, String> text) {
        if (coroutine.isInternal()) return;
        coroutine.scheduler().errors.notices.add(() -> !coroutine.isObserved(), () -> text.apply(coroutine, outcome));
    }
}
