package org.trueasync;

/**
 * A context was used against its rules: a key set twice, or one that is not there.
 *
 * <p>Any thread.
 */
public class ContextException extends AsyncException {
    private static final long serialVersionUID = 1;

    /**
     * A misuse of a context.
     *
     * @param message the key and the way out
     */
    public ContextException(String message) {
        super(message);
    }
}
