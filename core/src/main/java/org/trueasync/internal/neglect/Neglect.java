package org.trueasync.internal.neglect;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/** One holder of a {@link Warning}, watched until somebody takes the outcome or the holder is unreachable. Loop thread only. */
public final class Neglect extends PhantomReference<Object> {
    private final Neglects owner;
    private final Warning warning;

    // Links of the owner's list.
    @Nullable
    Neglect previous;

    @Nullable
    Neglect next;

    Neglect(Neglects owner, Object holder, ReferenceQueue<Object> gone, Warning warning) {
        super(holder, gone);
        this.owner = owner;
        this.warning = warning;
    }

    /** What will be said. */
    public Warning warning() {
        return warning;
    }

    /** Somebody has taken the outcome: nothing will be said, and the holder is watched no longer. */
    public void settle() {
        warning.settle();
        owner.leave(this);
        clear();
    }
}
