package org.trueasync;

/**
 * A {@link Pool} can't be used: it is closed, or what it was given is no resource.
 *
 * <p>Any thread.
 */
public class PoolException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * An exception with this message.
     *
     * @param message which pool, and what is wrong
     */
    public PoolException(String message) {
        super(message);
    }

    /**
     * An exception with this message and cause.
     *
     * @param message which pool, and what is wrong
     * @param cause why
     */
    public PoolException(String message, Throwable cause) {
        super(message, cause);
    }
}
