package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;

/** A future that is derived from another one. */
final class DerivedCore<T> extends FutureCore<T> {
    private @Nullable Derivation<?, T> origin;

    /**
     * The future at the beginning of the chain, while it is pending: a wait for this future waits for that one. Not the
     * previous future in the chain, as a chain may be longer than the stack is deep.
     */
    private @Nullable FutureCore<?> root;

    DerivedCore(FutureCore<?> source) {
        super(source.loop);
        root = source.isCompleted() ? null : rootOf(source);
    }

    private static @Nullable FutureCore<?> rootOf(FutureCore<?> source) {
        return source instanceof DerivedCore<?> derived ? derived.root : source;
    }

    void follows(Derivation<?, T> derivation) {
        origin = derivation;
    }

    @Override
    protected void arm() {
        if (root != null) root.start();
    }

    @Override
    protected void disarm() {
        if (root != null) root.stop();
    }

    @Override
    public void isReachableAgain() {
        if (root != null) root.isReachableAgain();
    }

    @Override
    protected void cancelled(AsyncCancellation reason) {
        Derivation<?, T> derivation = origin;
        origin = null;
        if (derivation != null) derivation.abandon(reason);
    }

    /** Returns where it was derived; nobody completes it by hand. */
    @Override
    String completionSite() {
        return createdLocation();
    }

    /** Forgets the derivation, which is about to complete this future. */
    void detach() {
        origin = null;
    }

    @Override
    void ended() {
        root = null;
    }
}
