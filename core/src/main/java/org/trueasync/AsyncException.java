package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * The base class of failures of this library's own operations: misuse, a closed resource, an unusable runtime.
 *
 * <p>Any thread.
 */
public class AsyncException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with this message.
     *
     * @param message what went wrong, with the values, and what to do
     */
    public AsyncException(String message) {
        super(message);
    }

    /**
     * Creates an exception with this message and cause.
     *
     * @param message what went wrong, with the values, and what to do
     * @param cause the cause, or null
     */
    public AsyncException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
