package org.trueasync;

/**
 * A descriptor could not be watched, or a wait for it failed.
 *
 * <p>Any thread.
 */
public class PollException extends InputOutputException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception for a failed wait.
     *
     * @param message descriptor and error
     * @param errno the system's name of the error, {@code EBADF} for instance; empty if it has none
     */
    public PollException(String message, String errno) {
        super(message, errno);
    }
}
