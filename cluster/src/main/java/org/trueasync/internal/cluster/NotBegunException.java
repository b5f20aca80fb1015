package org.trueasync.internal.cluster;

import org.jspecify.annotations.Nullable;
import org.trueasync.cluster.TaskRefusedException;

/** The member is gone, or leaves, and has certainly not begun the task: another one may have it. */
final class NotBegunException extends TaskRefusedException {
    private static final long serialVersionUID = 1;

    /**
     * True if the same member may take it in a moment: it does not know the caller yet, as one of the two has just
     * joined.
     */
    private final boolean isTooEarly;

    NotBegunException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    NotBegunException(String message, @Nullable Throwable cause, boolean isTooEarly) {
        super(message, cause);
        this.isTooEarly = isTooEarly;
    }

    boolean isTooEarly() {
        return isTooEarly;
    }
}
