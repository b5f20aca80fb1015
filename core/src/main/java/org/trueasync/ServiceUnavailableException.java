package org.trueasync;

/** A {@link CircuitBreaker} lets nobody through at present. */
public class ServiceUnavailableException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * An exception with this message.
     *
     * @param message which breaker, and its state
     */
    public ServiceUnavailableException(String message) {
        super(message);
    }
}
