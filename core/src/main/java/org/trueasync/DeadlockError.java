package org.trueasync;

/**
 * Every coroutine waited and nothing could ever have woken one. The message lists them.
 *
 * <p>Any thread.
 */
public class DeadlockError extends Error {
    private static final long serialVersionUID = 1;

    /**
     * A deadlock.
     *
     * @param message the number of coroutines and what each waits for
     */
    public DeadlockError(String message) {
        super(message);
    }
}
