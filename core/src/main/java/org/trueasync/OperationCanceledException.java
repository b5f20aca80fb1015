package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * A wait was given up because its cancellation token ended first, or had ended before. What was awaited goes on, unless
 * the method that waits says otherwise. The cause is the token's own error, if it had one: an
 * {@link AsyncTimeoutException} for a timeout.
 *
 * <p>A coroutine that does not catch it ends as cancelled, and its scope goes on. If the token had an error and nothing
 * observes the coroutine, that is reported. In the main coroutine it is an error, which ends the run. The stack trace
 * is that of the wait.
 *
 * <p>Any thread.
 */
public class OperationCanceledException extends AsyncCancellation {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception for a wait that was given up.
     *
     * @param message which wait and which token
     * @param cause the token's error, or null when the token ended with a value
     */
    public OperationCanceledException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
