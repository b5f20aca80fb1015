package org.trueasync;

import java.time.Duration;
import org.trueasync.internal.error.Lengths;

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
        this(after, "timed out after " + Lengths.shown(after));
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

    /** Returns the length of the timeout. */
    public Duration after() {
        return after;
    }
}
