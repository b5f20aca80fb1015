package org.trueasync.internal.kernel;

/**
 * An error that no handler of a scope has taken, in the hands of those who wait for the scope. One of them is enough to take it; if all of them leave without it, it goes
 * the way that it would have gone without them.
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

    /** One more has it. */
    public void held() {
        holders++;
    }

    /** One of those who had it goes without it; who takes it stays its holder for ever. */
    public void leave() {
        if (--holders == 0) ScopeErrors.leftBehind(scope, coroutine, error);
    }
}
