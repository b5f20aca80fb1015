package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CircuitBreaker} lets nobody through at present.
 *
 * <p>Any thread.
 */
public class ServiceUnavailableException extends AsyncException {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryIn;

    /**
     * An exception with this message.
     *
     * @param message which breaker, and its state
     */
    public ServiceUnavailableException(String message) {
        this(message, null);
    }

    /**
     * An exception with this message.
     *
     * @param message which breaker, and its state
     * @param retryIn see {@link #retryIn}
     */
    public ServiceUnavailableException(String message, @Nullable Duration retryIn) {
        super(message);
        this.retryIn = retryIn;
    }

    /** How long it would have been, when this was thrown, until a caller is let through; null if that was not known. */
    public @Nullable Duration retryIn() {
        return retryIn;
    }
}
