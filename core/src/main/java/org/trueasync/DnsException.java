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
     * A failed look-up.
     *
     * @param message names what was looked up
     * @param cause what it came from, or null
     */
    public DnsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
