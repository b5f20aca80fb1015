package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A task was not begun, and will not be: it can't be serialised; or the member lacks its class, does not allow it, has
 * too many tasks, is leaving, or is not in the cluster.
 *
 * <p>Any thread.
 */
public class TaskRefusedException extends ClusterException {
    private static final long serialVersionUID = 1;

    /**
     * An exception.
     *
     * @param message why, and the way out
     * @param cause what led to it, or null
     */
    public TaskRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
