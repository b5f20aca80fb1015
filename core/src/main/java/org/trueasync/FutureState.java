package org.trueasync;

import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The write side of a {@link Future}, a promise: its maker keeps this and hands out the future. The future is completed
 * once, with a value or an error. Completing it queues the waiting coroutines, in the order in which they came, and
 * runs no other code.
 *
 * <p>Loop thread only, except {@code awaitingInfo}, {@code completedLocation}, {@code createdLocation}, {@code future}
 * and {@code isCompleted}; {@link #handOver} lets another thread complete it.
 *
 * @param <T> type of the value
 */
public final class FutureState<T> {
    private final FutureCore<T> core;
    /** Made at once, as several threads may ask for it. */
    private final Future<T> future;

    /**
     * Creates a pending future.
     *
     * @throws AsyncException outside a runtime
     */
    public FutureState() {
        core = new FutureCore<>(Runtimes.here("new FutureState"));
        future = new Future<>(core);
    }

    /**
     * Completes the future with a value.
     *
     * @param value may be null
     * @throws AsyncException if it has been completed or cancelled, and names where if spawn sites are on; or if it was
     *     handed over
     */
    public void complete(T value) {
        core.complete(value);
    }

    /**
     * Completes the future with an error.
     *
     * @param error what awaiting the future throws; a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}
     * @throws AsyncException if it has been completed or cancelled, and names where if spawn sites are on; or if it was
     *     handed over
     */
    public void error(Throwable error) {
        core.fail(error);
    }

    /** True once it has a value or an error, or the reader has cancelled it. */
    public boolean isCompleted() {
        return core.isCompleted();
    }

    /** Returns the read side; the same object each time. */
    public Future<T> future() {
        return future;
    }

    /** Turns off the reports of an unused value and of an uncaught error. Returns this. */
    public FutureState<T> ignore() {
        core.ignore();
        return this;
    }

    /**
     * Passes the right to complete the future to another thread, for good. The future itself stays in this runtime, and
     * its waiters are woken here.
     *
     * @throws AsyncException if it has been handed over before, completed or cancelled
     */
    public RemoteFuture<T> handOver() {
        return new RemoteFuture<>(core.handOver());
    }

    @Override
    public String toString() {
        return core.info();
    }
}
