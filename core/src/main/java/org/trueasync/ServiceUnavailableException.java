package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call was not let through: a {@link CircuitBreaker} lets none through at present, or too many wait for a
 * {@link Semaphore} already.
 *
 * <p>Any thread.
 */
public class ServiceUnavailableException extends AsyncException {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryIn;

    /**
     * Creates an exception with this message.
     *
     * @param message what let no call through, and its state
     * @param retryIn see {@link #retryIn}
     */
    public ServiceUnavailableException(String message, @Nullable Duration retryIn) {
        super(message);
        this.retryIn = retryIn;
    }

    /** Returns the time until a call is let through, as known when this was thrown; null if it was not known. */
    public @Nullable Duration retryIn() {
        return retryIn;
    }
}
