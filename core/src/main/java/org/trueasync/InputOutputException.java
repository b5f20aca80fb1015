package org.trueasync;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.site.Names;

/**
 * An input or output operation failed. The message names the operation, the peer or file, and the system's error.
 *
 * <p>Any thread.
 */
public class InputOutputException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String errno;

    /**
     * Creates an exception for a failed operation.
     *
     * @param message operation, peer and error
     * @param errno the system's name of the error, {@code ECONNREFUSED}; empty if it came from no system call
     */
    public InputOutputException(String message, String errno) {
        this(message, errno, null);
    }

    /**
     * Creates an exception for a failed operation, with a cause.
     *
     * @param message operation, peer and error; control characters, of a path for instance, are shown as {@code ?}
     * @param errno the system's name of the error, {@code ECONNREFUSED}; empty if it came from no system call
     * @param cause the cause, or null
     */
    public InputOutputException(String message, String errno, @Nullable Throwable cause) {
        super(Names.plain(message), cause);
        this.errno = errno;
    }

    /** Returns the system's name of the error, {@code ECONNREFUSED}; empty if it came from no system call. */
    public String errno() {
        return errno;
    }
}
