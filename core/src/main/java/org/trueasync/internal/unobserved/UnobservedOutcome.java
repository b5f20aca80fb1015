package org.trueasync.internal.unobserved;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * The watch over one holder of an outcome, a future for instance. It lasts until somebody takes the outcome or the
 * holder is unreachable. Loop thread only.
 */
public final class UnobservedOutcome extends PhantomReference<Object> {
    private final UnobservedOutcomes owner;
    private final UnobservedWarning warning;

    // Links of the owner's list.
    @Nullable
    UnobservedOutcome previous;

    @Nullable
    UnobservedOutcome next;

    UnobservedOutcome(UnobservedOutcomes owner, Object holder, ReferenceQueue<Object> gone, UnobservedWarning warning) {
        super(holder, gone);
        this.owner = owner;
        this.warning = warning;
    }

    public UnobservedWarning warning() {
        return warning;
    }

    /** Ends the watch, because the outcome has been taken: the warning is not written. */
    public void settle() {
        warning.settle();
        owner.leave(this);
        clear();
    }
}
