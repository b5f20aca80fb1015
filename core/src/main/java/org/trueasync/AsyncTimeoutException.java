package org.trueasync;

import java.time.Duration;

/**
 * A timeout or time limit was over.
 *
 * <p>Any thread.
 */
public class AsyncTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Duration after;

    /**
     * Creates an exception for a timeout of this length.
     *
     * @param after the length
     */
    public AsyncTimeoutException(Duration after) {
        this(after, "timed out after " + shown(after));
    }

    /**
     * Creates an exception for a timeout of this length.
     *
     * @param after the length
     * @param message what timed out
     */
    protected AsyncTimeoutException(Duration after, String message) {
        super(message);
        this.after = after;
    }

    /**
     * Returns a length as messages show it: in milliseconds, from 1,000,000 s on as {@link Duration#toString} does.
     *
     * @param length any
     */
    protected static String shown(Duration length) {
        return length.toSeconds() < 1_000_000 ? length.toMillis() + " ms" : length.toString();
    }

    /** Returns the length of the timeout. */
    public Duration after() {
        return after;
    }
}
