package org.trueasync;

import java.time.Duration;

/** A timeout ran out. */
public class AsyncTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Duration after;

    /**
     * A timeout of this length ran out.
     *
     * @param after the length
     */
    public AsyncTimeoutException(Duration after) {
        super("timed out after " + (after.toSeconds() < 1_000_000 ? after.toMillis() + " ms" : after.toString()));
        this.after = after;
    }

    /** The length of the timeout that ran out. */
    public Duration after() {
        return after;
    }
}
