package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * A {@link ThreadPool} refuses new tasks, or a worker has ended before its task.
 *
 * <p>Any thread.
 */
public class ThreadPoolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with this message and cause.
     *
     * @param message which pool, and what happened
     * @param cause the cause, or null
     */
    public ThreadPoolException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
