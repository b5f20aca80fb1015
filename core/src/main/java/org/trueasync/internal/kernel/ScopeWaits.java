package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Those who wait for the coroutines of a scope, in the order of their coming. */
public final class ScopeWaits {
    /** One of those who wait. Loop thread; none of this throws or waits. */
    public interface Told {
        /** Nobody is left but zombies. */
        void completed();

        /** Nobody is left. */
        void drained();

        /**
         * An error that no handler has taken, in the hands of this one, too.
         *
         * @param failure held first, taken or left in the end
         */
        void failed(ScopeFailure failure);
    }

    private final Set<Told> waits = new LinkedHashSet<>();

    ScopeWaits() {}

    /** From now on it is told. */
    public void add(Told wait) {
        waits.add(wait);
    }

    /** It is not told any more. */
    public void remove(Told wait) {
        waits.remove(wait);
    }

    boolean hasAny() {
        return !waits.isEmpty();
    }

    void completed() {
        if (waits.isEmpty()) return;
        for (Told wait : List.copyOf(waits)) wait.completed();
    }

    void drained() {
        if (waits.isEmpty()) return;
        for (Told wait : List.copyOf(waits)) wait.drained();
    }

    /** Hands an error that no handler took to everybody who waits; false if nobody does. */
    boolean failed(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        if (waits.isEmpty()) return false;
        var failure = new ScopeFailure(scope, coroutine, error);
        for (Told wait : List.copyOf(waits)) wait.failed(failure);
        return true;
    }
}
