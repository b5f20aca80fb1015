package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;

/**
 * Something between members went wrong. Subclasses say what is known of a task's fate.
 *
 * <p>Any thread.
 */
public class ClusterException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * An exception.
     *
     * @param message what has happened, and the way out
     */
    public ClusterException(String message) {
        super(message);
    }

    /**
     * An exception with a cause.
     *
     * @param message what has happened, and the way out
     * @param cause why
     */
    public ClusterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
