package org.trueasync;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;

/**
 * An input or output operation failed. The message names the operation, the peer or file, and the error.
 *
 * <p>Any thread.
 */
public class InputOutputException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String errno;

    /**
     * Creates an exception for a failed operation.
     *
     * @param message operation, peer and error; characters that can't be printed, in a path for instance, are shown as
     *     {@code ?}
     * @param errno the system's name of the error, {@code ECONNREFUSED} for instance; empty if it has none
     */
    public InputOutputException(String message, String errno) {
        this(message, errno, null);
    }

    /**
     * Creates an exception for a failed operation, with a cause.
     *
     * @param message operation, peer and error; characters that can't be printed, in a path for instance, are shown as
     *     {@code ?}
     * @param errno the system's name of the error, {@code ECONNREFUSED} for instance; empty if it has none
     * @param cause the cause, or null
     */
    public InputOutputException(String message, String errno, @Nullable Throwable cause) {
        super(Names.plain(message), cause);
        this.errno = errno;
    }

    /** Returns the system's name of the error, {@code ECONNREFUSED} for instance; empty if it has none. */
    public String errno() {
        return errno;
    }
}
