package org.trueasync.internal.kernel;

/**
 * An error that no handler of a scope has taken, held by the waits for the scope. It is enough that one of them takes
 * it. If all of them leave without it, it is handled as if they had not been there.
 */
public final class ScopeFailure {
    private final CoroutineScope scope;
    private final CoroutineImpl<?> coroutine;
    private final Throwable error;
    private int holders;

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

    /** Counts one holder less, which has not taken the error. A holder that takes it stays counted. */
    public void leave() {
        if (--holders == 0) ScopeErrors.leftBehind(scope, coroutine, error);
    }
}
