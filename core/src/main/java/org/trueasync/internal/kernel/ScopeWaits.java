package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The waits for the coroutines of a scope, in the order in which they began. */
public final class ScopeWaits {
    /** One of the waits. Loop thread; no method throws or waits. */
    public interface Listener {
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

    private final Set<Listener> listeners = new LinkedHashSet<>();

    ScopeWaits() {}

    /** Adds a wait, which is told from now on. */
    public void add(Listener listener) {
        listeners.add(listener);
    }

    /** Removes a wait, which is told no longer. */
    public void remove(Listener listener) {
        listeners.remove(listener);
    }

    boolean hasAny() {
        return !listeners.isEmpty();
    }

    void completed() {
        if (listeners.isEmpty()) return;
        for (Listener listener : List.copyOf(listeners)) listener.completed();
    }

    void drained() {
        if (listeners.isEmpty()) return;
        for (Listener listener : List.copyOf(listeners)) listener.drained();
    }

    /** Hands an error that no handler has taken to all waits; false if there are none. */
    boolean failed(CoroutineScope scope, CoroutineImpl<?> coroutine, Throwable error) {
        if (listeners.isEmpty()) return false;
        var failure = new ScopeFailure(scope, coroutine, error);
        for (Listener listener : List.copyOf(listeners)) listener.failed(failure);
        return true;
    }
}
