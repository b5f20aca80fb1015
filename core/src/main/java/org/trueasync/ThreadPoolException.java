package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * A {@link ThreadPool} takes no more tasks, or a worker has ended under its task.
 *
 * <p>Any thread.
 */
public class ThreadPoolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * An exception with this message and cause.
     *
     * @param message which pool, and what happened
     * @param cause what it came from, or null
     */
    public ThreadPoolException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
