package org.trueasync;

/**
 * A wait for a descriptor failed.
 *
 * <p>Any thread.
 */
public class PollException extends InputOutputException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception for a failed wait.
     *
     * @param message descriptor and error
     * @param errno the system's name of the error; empty if it came from no system call
     */
    public PollException(String message, String errno) {
        super(message, errno);
    }
}
