package org.trueasync;

/**
 * Every coroutine waited, and nothing could wake one; the message lists them. Or the loop was blocked for ever by a
 * wait for a lock that one of its own coroutines had; the message shows who waited for whom, with the stacks.
 *
 * <p>Any thread.
 */
public class DeadlockError extends Error {
    private static final long serialVersionUID = 1;

    /**
     * Creates an error with this message.
     *
     * @param message who waits for what
     */
    public DeadlockError(String message) {
        super(message);
    }
}
