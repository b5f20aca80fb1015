package org.trueasync.internal.kernel;

import org.trueasync.internal.failure.FailureText;

/**
 * An error that no handler of a scope has taken, held by the waits for the scope. It is enough that one of them takes
 * it. If all of them leave it, and no later wait takes it, it goes on from the scope as if they had not been there.
 */
public final class ScopeFailure {
    private final CoroutineScope scope;
    private final CoroutineImpl<?> coroutine;
    private final Throwable error;
    private int holders;
    private boolean taken;

    ScopeFailure(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        this.scope = scope;
        this.coroutine = coroutine;
        this.error = error;
    }

    /** What the coroutine threw. */
    public Throwable error() {
        return error;
    }

    /** The same failure with another error, for one holder. */
    public ScopeFailure with(Throwable other) {
        var changed = new ScopeFailure(scope, coroutine, other);
        changed.held();
        return changed;
    }

    /** Counts one more holder. */
    public void held() {
        holders++;
    }

    /** Notes that a holder throws or reports the error. */
    public void take() {
        taken = true;
    }

    boolean isTaken() {
        return taken;
    }

    /** Counts one holder less, which has not taken the error. */
    public void leave() {
        if (--holders == 0 && !taken) ScopeErrors.leftBehind(scope, coroutine, error);
    }

    /** Reports soon that the error is still with waits that have been given up, unless it is taken before. */
    void reportSoon() {
        scope.loop.errors.notices.add(() -> !taken && holders > 0, () -> FailureText.left(coroutine, error));
    }
}
