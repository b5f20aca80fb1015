package org.trueasync;

import org.trueasync.internal.future.RemoteEnd;

/**
 * The write side of a {@link Future} for other threads, from {@link FutureState#handOver}. Completing it wakes the
 * waiting coroutines on the loop thread of the future.
 *
 * <p>A thread that ends without completing the future leaves it pending, and a wait for the future goes on. Once this
 * object is found to be garbage, such a wait no longer counts as one that another thread can end, so it may be part of
 * a {@linkplain DeadlockError deadlock}. A thread that closes this object, best by {@code try}-with-resources, makes
 * the future fail at once instead. A future that is not awaited keeps no run alive. Completing it after the end of its
 * run does nothing.
 *
 * <p>Any thread. Memory consistency effects: actions of a thread before it completes the future happen-before the
 * return from a wait for it.
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
     * @param error what awaiting the future throws; a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}
     * @throws AsyncException if it has been completed, closed, or cancelled by its reader
     */
    public void error(Throwable error) {
        end.fail(error);
    }

    /** True once it has been completed, closed, or cancelled by its reader: no value is needed any more. */
    public boolean isCompleted() {
        return end.isDecided();
    }

    /**
     * Abandons the future: unless it has been completed or cancelled, it fails with an {@link AsyncException} that
     * names the calling thread. Idempotent.
     */
    @Override
    public void close() {
        end.abandon();
    }

    @Override
    public String toString() {
        return end.toString();
    }
}
