package org.trueasync.internal.unobserved;

/**
 * What will be said about an outcome if nobody takes it. Several holders may have the same one, when one hands its outcome on to the next: it is said
 * once, when the last of them is gone, and not at all once somebody has taken it from any of them. It must not know its holders. Loop thread only.
 */
public abstract class UnobservedWarning {
    private int holders;
    private boolean settled;

    /** One that nobody holds yet. */
    protected UnobservedWarning() {}

    /** For a person: what was forgotten, and where. Called where it may meet a lock; may run user code. */
    protected abstract String text();

    /** Somebody has taken the outcome. */
    public final void settle() {
        settled = true;
    }

    /** True if there is nothing to say any more. */
    public final boolean isSettled() {
        return settled;
    }

    final void held() {
        holders++;
    }

    /** One holder is gone; true if it must be said now. */
    final boolean heldByNobody() {
        return --holders == 0 && isDue();
    }

    /** True the first time, unless somebody has taken the outcome. */
    final boolean isDue() {
        if (settled) return false;
        settled = true;
        return true;
    }
}
