package org.trueasync.internal.failure;

/**
 * The warning about an outcome that nobody takes. If a holder hands its outcome on to another one, both share the
 * warning. It is due once, when the last holder is unreachable or the run ends, and never if somebody has taken the
 * outcome from any of them. It must not refer to its holders, as that would keep them reachable. Loop thread only.
 */
public abstract class UnobservedWarning {
    private int holders;
    private boolean settled;

    protected UnobservedWarning() {}

    /** Returns what was forgotten, and where. Called in a service coroutine: it may meet a lock and run user code. */
    protected abstract String text();

    /** Notes that the outcome has been taken. */
    public final void settle() {
        settled = true;
    }

    /** True if the outcome has been taken or the warning has been written. */
    public final boolean isSettled() {
        return settled;
    }

    final void held() {
        holders++;
    }

    /** Called when a holder is unreachable. True if the warning must be written now. */
    final boolean heldByNobody() {
        return --holders == 0 && isDue();
    }

    /** True if it must be written now: nobody has taken the outcome. True only once, as it settles the warning. */
    final boolean isDue() {
        if (settled) return false;
        settled = true;
        return true;
    }
}
