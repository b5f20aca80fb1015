package org.trueasync;

import java.time.Duration;

/**
 * A timeout ran out.
 *
 * <p>Any thread.
 */
public class AsyncTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Duration after;

    /**
     * A timeout of this length ran out.
     *
     * @param after the length
     */
    public AsyncTimeoutException(Duration after) {
        this(after, "timed out after " + shown(after));
    }

    /**
     * A timeout of this length ran out.
     *
     * @param after the length
     * @param message what timed out
     */
    protected AsyncTimeoutException(Duration after, String message) {
        super(message);
        this.after = after;
    }

    /**
     * A length as messages show it.
     *
     * @param length any
     */
    protected static String shown(Duration length) {
        return length.toSeconds() < 1_000_000 ? length.toMillis() + " ms" : length.toString();
    }

    /** The length of the timeout that ran out. */
    public Duration after() {
        return after;
    }
}
