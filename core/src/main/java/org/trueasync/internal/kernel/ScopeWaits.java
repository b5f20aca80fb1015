package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Those who wait for the coroutines of a scope, in the order of their coming. */
public final class ScopeWaits {
    private final Set<ScopeWait> waits = new LinkedHashSet<>();

    ScopeWaits() {}

    /** From now on it is told. */
    public void add(ScopeWait wait) {
        waits.add(wait);
    }

    /** It is not told any more. */
    public void remove(ScopeWait wait) {
        waits.remove(wait);
    }

    boolean hasAny() {
        return !waits.isEmpty();
    }

    void completed() {
        if (waits.isEmpty()) return;
        for (ScopeWait wait : List.copyOf(waits)) wait.completed();
    }

    void drained() {
        if (waits.isEmpty()) return;
        for (ScopeWait wait : List.copyOf(waits)) wait.drained();
    }

    /** Hands an error that no handler took to everybody who waits; false if nobody does. */
    boolean failed(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        if (waits.isEmpty()) return false;
        var failure = new ScopeFailure(scope, coroutine, error);
        for (ScopeWait wait : List.copyOf(waits)) wait.failed(failure);
        return true;
    }
}
