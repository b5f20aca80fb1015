package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at a suspension point of a coroutine that was cancelled. An {@link Error}, as {@code ThreadDeath} was: {@code catch (Exception)}
 * must not swallow a cancellation. Let it pass, or catch it to clean up and throw it on.
 *
 * <p>Any thread.
 */
public class AsyncCancellation extends Error {
    private static final long serialVersionUID = 1;

    /** A cancellation without a particular reason. */
    public AsyncCancellation() {
        this("cancelled");
    }

    /**
     * A cancellation with a reason in words.
     *
     * @param message the reason
     */
    public AsyncCancellation(String message) {
        super(message);
    }

    /**
     * A cancellation with a reason in words and a cause.
     *
     * @param message the reason
     * @param cause what led to it, or null
     */
    public AsyncCancellation(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
