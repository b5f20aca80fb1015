package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CircuitBreaker} lets no call through at present.
 *
 * <p>Any thread.
 */
public class ServiceUnavailableException extends AsyncException {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryIn;

    /**
     * Creates an exception with this message.
     *
     * @param message which breaker, and its state
     */
    public ServiceUnavailableException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception with this message.
     *
     * @param message which breaker, and its state
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
