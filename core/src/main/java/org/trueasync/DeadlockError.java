package org.trueasync;

/**
 * Every coroutine waited, and nothing could wake one. The message lists them.
 *
 * <p>Any thread.
 */
public class DeadlockError extends Error {
    private static final long serialVersionUID = 1;

    /**
     * Creates an error with this message.
     *
     * @param message the number of coroutines and what each waits for
     */
    public DeadlockError(String message) {
        super(message);
    }
}
