package org.trueasync;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at a suspension point of a coroutine that was cancelled. A wait for something that was cancelled throws it
 * too, and a wait that is given up throws {@link OperationCanceledException}. It is an {@link Error}, as
 * {@code ThreadDeath} was, because {@code catch (Exception)} must not swallow a cancellation. Let it pass, or catch it
 * to clean up and rethrow it.
 *
 * <p>Any thread.
 */
public class AsyncCancellation extends Error {
    private static final long serialVersionUID = 1;

    /** Creates a cancellation without a reason in words. */
    public AsyncCancellation() {
        this("cancelled");
    }

    /**
     * Creates a cancellation with a reason in words.
     *
     * @param message the reason
     */
    public AsyncCancellation(String message) {
        super(message);
    }

    /**
     * Creates a cancellation with a reason in words and a cause.
     *
     * @param message the reason
     * @param cause the error that led to it, or null
     */
    public AsyncCancellation(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
