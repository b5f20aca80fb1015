package org.trueasync;

import java.util.concurrent.CompletableFuture;

/**
 * Something that ends once, with a value or an error: it can be awaited, cancelled, and used as a cancellation token.
 *
 * <p>Loop thread only, except {@link #isCompleted}, {@link #isCancelled} and the result of
 * {@link #toCompletableFuture()}, which any thread may use unless the type says otherwise.
 *
 * <p>Only this library implements it: any other implementation can't be awaited or be a token, and is refused with
 * {@link AsyncException}. Other libraries offer an {@link org.trueasync.spi.Event} or a
 * {@link java.util.concurrent.CompletionStage} to wait for.
 *
 * @param <T> type of the value
 */
public interface Completable<T> extends Awaitable {
    /** True once it has ended: by value, by error or by cancellation. */
    boolean isCompleted();

    /** True if it has ended by a cancellation. */
    boolean isCancelled();

    /** As {@link #cancel(AsyncCancellation)}, with a reason that the library chooses. */
    void cancel();

    /**
     * Asks it to end with this cancellation. The first reason wins. Does nothing once it has ended, except that a
     * future's unused value is not reported.
     *
     * @param reason what is thrown in the cancelled work
     */
    void cancel(AsyncCancellation reason);

    /**
     * Returns a future with the outcome of this; a cancellation shows as
     * {@link java.util.concurrent.CancellationException}. It is completed on the loop thread. Cancelling the future
     * does not cancel this. But the future is a waiter: work that stops when its last waiter has left may stop then.
     */
    CompletableFuture<T> toCompletableFuture();
}
