package org.trueasync.internal.future;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;

/** A future that follows from another one. */
final class DerivedCore<T> extends FutureCore<T> {
    private @Nullable Derivation<?, T> origin;

    /**
     * The one at the beginning of the chain, while that is pending: whoever waits here waits for it. Not the one before, as a chain may be longer
     * than a stack is deep.
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
    protected void cancelled(AsyncCancellation reason) {
        Derivation<?, T> derivation = origin;
        origin = null;
        if (derivation != null) derivation.abandon(reason);
    }

    /** Where its handler is from; nobody completes it by hand. */
    @Override
    String completionSite() {
        return createdLocation();
    }

    /** It is about to be completed by what it follows from. */
    void detach() {
        origin = null;
    }

    @Override
    void ended() {
        root = null;
    }
}
