package org.trueasync.internal.failure;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;

/** The reason for cancelling others because of an error. It asks the error what it says of itself only when somebody reads it, who can wait for the answer. */
public final class FailureReason extends AsyncCancellation {
    private static final long serialVersionUID = 1;

    private final String what;
    private final transient @Nullable Throwable error;

    /**
     * A reason.
     *
     * @param what has happened; the error follows
     * @param error what it was
     * @param isCause whether it is the cause of this as well
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

    /** By the type that users know. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the message is as it should be, the class name is not
    public String toString() {
        return AsyncCancellation.class.getName() + ": " + getMessage();
    }
}
