package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The waits for the coroutines of a scope, in the order in which they began. */
public final class ScopeWaits {
    /** One of the waits. Loop thread; no method throws or waits. */
    public interface Told {
        /** Called when no coroutines but zombies are left. */
        void completed();

        /** Called when no coroutines are left. */
        void drained();

        /**
         * Gets an error that no handler has taken; other waits get it too.
         *
         * @param failure to be held first, and taken or left in the end
         */
        void failed(ScopeFailure failure);
    }

    private final Set<Told> waits = new LinkedHashSet<>();

    ScopeWaits() {}

    /** Adds a wait, which is told from now on. */
    public void add(Told wait) {
        waits.add(wait);
    }

    /** Removes a wait, which is told no longer. */
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

    /** Hands an error that no handler has taken to all waits; false if there are none. */
    boolean failed(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        if (waits.isEmpty()) return false;
        var failure = new ScopeFailure(scope, coroutine, error);
        for (Told wait : List.copyOf(waits)) wait.failed(failure);
        return true;
    }
}
