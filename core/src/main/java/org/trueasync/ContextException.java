package org.trueasync;

/**
 * A context was misused: a key was set twice, or is missing.
 *
 * <p>Any thread.
 */
public class ContextException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with this message.
     *
     * @param message the key, and what to do
     */
    public ContextException(String message) {
        super(message);
    }
}
