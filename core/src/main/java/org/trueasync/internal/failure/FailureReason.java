package org.trueasync.internal.failure;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;

/**
 * The reason for cancelling other coroutines because of an error. It calls the error's own methods only when its
 * message is read, where waiting for them does no harm.
 */
public final class FailureReason extends AsyncCancellation {
    private static final long serialVersionUID = 1;

    private final String what;
    private final transient @Nullable Throwable error;

    /**
     * Creates a reason.
     *
     * @param what the beginning of the message; the error's text follows
     * @param error the error
     * @param isCause true to make it the cause of this exception too
     */
    public FailureReason(String what, Throwable error, boolean isCause) {
        super(what, isCause ? error : null);
        this.what = what;
        this.error = error;
    }

    @Override
    public String getMessage() {
        return error == null ? what : what + ": " + Causes.text(error);
    }

    /** Names the public type. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return AsyncCancellation.class.getName() + ": " + getMessage();
    }
}
