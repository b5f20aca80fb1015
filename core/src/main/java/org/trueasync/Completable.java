package org.trueasync;

import java.util.concurrent.CompletableFuture;

/**
 * Something that ends once, with a value or an error: it can be awaited, cancelled, and used as a cancellation token.
 *
 * <p>Loop thread only, except {@link #isCompleted}, {@link #isCancelled} and {@link #toCompletableFuture()}'s result, which any thread may use.
 *
 * <p>Only this library implements it: an implementation of somebody else's can't be awaited nor be a token, and is refused with {@link AsyncException}. What
 * others have to wait for is an {@link org.trueasync.spi.Event} or a {@link java.util.concurrent.CompletionStage}.
 *
 * @param <T> type of the value
 */
public interface Completable<T> extends Awaitable {
    /** True once it has ended: by value, by error or by cancellation. */
    boolean isCompleted();

    /** True only when it has ended, and ended by cancellation. */
    boolean isCancelled();

    /** Asks it to end with a cancellation that gives no particular reason; does nothing once it has ended. */
    void cancel();

    /**
     * Asks it to end with this cancellation. The first reason wins.
     *
     * @param reason what the cancelled work will see thrown
     */
    void cancel(AsyncCancellation reason);

    /**
     * A future that ends as this does; a cancellation shows as {@link java.util.concurrent.CancellationException}. Completed on the loop
     * thread; cancelling the future does not cancel this.
     */
    CompletableFuture<T> toCompletableFuture();
}
