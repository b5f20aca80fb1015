package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The waits for the coroutines of a scope, in the order in which they began. */
public final class ScopeListeners {
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

    /**
     * Stands in for a wait that its coroutine has given up. The coroutine may be in a block that closes the scope: the
     * errors are kept for that, or for any other wait.
     */
    final class GivenUp implements Listener {
        private final CoroutineImpl<?> waiter;
        private final List<ScopeFailure> errors;

        private GivenUp(CoroutineImpl<?> waiter, List<ScopeFailure> errors) {
            this.waiter = waiter;
            this.errors = errors;
            errors.forEach(ScopeFailure::reportSoon);
        }

        @Override
        public void failed(ScopeFailure failure) {
            failure.held();
            errors.add(failure);
            failure.reportSoon();
        }

        @Override
        public void completed() {}

        @Override
        public void drained() {}

        /** Lets its errors go on: its coroutine does not take them. In a coroutine, or at the end of one. */
        void handOn() {
            listeners.remove(this);
            List.copyOf(errors).forEach(ScopeFailure::leave);
        }

        private void end() {
            listeners.remove(this);
            waiter.forget(this);
        }

        private boolean hasErrors() {
            errors.removeIf(ScopeFailure::isTaken);
            return !errors.isEmpty();
        }
    }

    private final Set<Listener> listeners = new LinkedHashSet<>();

    ScopeListeners() {}

    /** Adds a wait, which is told from now on. */
    public void add(Listener listener) {
        listeners.add(listener);
    }

    /** Removes a wait, which is told no longer. */
    public void remove(Listener listener) {
        listeners.remove(listener);
    }

    /** See {@link CoroutineScope#giveUp}. */
    void giveUp(Listener wait, CoroutineImpl<?> waiter, List<ScopeFailure> untaken) {
        listeners.remove(wait);
        var givenUp = new GivenUp(waiter, untaken);
        listeners.add(givenUp);
        waiter.hasGivenUp(givenUp);
    }

    /** Takes the errors of waits that were given up, for a wait that begins now. */
    public List<ScopeFailure> takeKept() {
        var all = new ArrayList<ScopeFailure>(1);
        for (GivenUp wait : givenUp()) {
            wait.end();
            if (!wait.hasErrors()) continue;
            for (ScopeFailure failure : wait.errors)
                if (all.contains(failure)) failure.leave();
                else all.add(failure);
        }
        return all;
    }

    /** True if there are errors of waits that were given up. */
    boolean keepsErrors() {
        for (Listener listener : listeners) if (listener instanceof GivenUp wait && wait.hasErrors()) return true;
        return false;
    }

    /** Lets the errors of all waits that were given up go on, as no code can close the scope. */
    void handOnKept() {
        for (GivenUp wait : givenUp()) {
            wait.end();
            wait.handOn();
        }
    }

    /** Forgets the waits that were given up and have no errors: the scope has closed, so none will come. */
    void forgetGivenUp() {
        for (GivenUp wait : givenUp()) if (!wait.hasErrors()) wait.end();
    }

    private List<GivenUp> givenUp() {
        if (listeners.isEmpty()) return List.of();
        return listeners.stream()
                .filter(GivenUp.class::isInstance)
                .map(GivenUp.class::cast)
                .toList();
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
