package org.trueasync.internal.jdbc;

/**
 * The reset of the session that the server makes before a running statement. A cancellation in the reset would cost the
 * connection, so it is held back until the answer has come, or for some pauses: the answer may come with that of the
 * statement only.
 */
final class ResetAhead implements CancelGate.Start {
    private static final int PAUSES = 5;

    private final Physical physical;
    private volatile int pauses;

    ResetAhead(Physical physical) {
        this.physical = physical;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // a pause that is not counted does no harm
    public boolean isConfirmed() {
        return !physical.isResetAhead() || pauses++ >= PAUSES;
    }
}
