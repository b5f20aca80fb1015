package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * A name could not be looked up.
 *
 * <p>Any thread.
 */
public class DnsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception for a failed look-up.
     *
     * @param message says which name was looked up
     * @param cause the cause, or null
     */
    public DnsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
