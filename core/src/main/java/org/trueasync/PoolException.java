package org.trueasync;

/**
 * A {@link Pool} can't be used: it is closed, or its factory returned null or a resource that the pool has already. A
 * strategy also gets one as the error of a resource that {@code beforeRelease} refused.
 *
 * <p>Any thread.
 */
public class PoolException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with this message.
     *
     * @param message which pool, and what is wrong
     */
    public PoolException(String message) {
        super(message);
    }

    /**
     * Creates an exception with this message and cause.
     *
     * @param message which pool, and what is wrong
     * @param cause the error that led to it
     */
    public PoolException(String message, Throwable cause) {
        super(message, cause);
    }
}
