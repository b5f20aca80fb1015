package org.trueasync;

import org.trueasync.internal.future.RemoteEnd;

/**
 * The write side of a {@link Future} in the hands of other threads, from {@link FutureState#handOver}. Completing it wakes those who wait, on the
 * future's own thread.
 *
 * <p>A thread that ends without completing it leaves the future pending. Whoever waits for it then goes on waiting until its token ends, or until this
 * object is garbage, when the wait counts as a deadlock unless something else can end it; a thread that closes it, best by
 * {@code try}-with-resources, has it fail at once instead. A future that nobody waits for keeps no run alive. Completing it after the end of its run
 * does nothing.
 *
 * <p>Any thread. Memory consistency effects: what a thread does before it completes the future happens-before what those do who have awaited it.
 *
 * @param <T> type of the value
 */
public final class RemoteFuture<T> implements AutoCloseable {
    private final RemoteEnd<T> end;

    RemoteFuture(RemoteEnd<T> end) {
        this.end = end;
        end.heldBy(this);
    }

    /**
     * Completes the future with a value.
     *
     * @param value may be null
     * @throws AsyncException if it has been completed, closed, or cancelled by its reader
     */
    public void complete(T value) {
        end.complete(value);
    }

    /**
     * Completes the future with an error.
     *
     * @param error what those who wait see thrown; a checked exception as the cause of a {@link java.util.concurrent.CompletionException}
     * @throws AsyncException if it has been completed, closed, or cancelled by its reader
     */
    public void error(Throwable error) {
        end.fail(error);
    }

    /** True once it has been completed, closed, or cancelled by its reader: nobody waits for a value any more. */
    public boolean isCompleted() {
        return end.isDecided();
    }

    /** Gives the future up: unless it has been completed, it fails with an {@link AsyncException} that says so. Idempotent. */
    @Override
    public void close() {
        end.abandon();
    }

    @Override
    public String toString() {
        return end.toString();
    }
}
