package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * The base of what goes wrong in this library's own operations: misuse, a closed resource, an unusable runtime.
 *
 * <p>Any thread.
 */
public class AsyncException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * An exception with this message.
     *
     * @param message what went wrong, the values, the way out
     */
    public AsyncException(String message) {
        super(message);
    }

    /**
     * An exception with this message and cause.
     *
     * @param message what went wrong, the values, the way out
     * @param cause what it came from, or null
     */
    public AsyncException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
