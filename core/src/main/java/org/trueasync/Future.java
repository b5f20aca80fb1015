package org.trueasync;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.StageFuture;
import org.trueasync.internal.future.FutureAccess;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.future.Futures;
import org.trueasync.internal.kernel.Runtimes;

/**
 * A value that comes later: the read side of a {@link FutureState}. It can be awaited any number of times, and other
 * futures can be derived from it.
 *
 * <p>Handlers given to {@link #map}, {@link #recover} and {@link #onFinally} each run in a coroutine of their own and
 * may wait. They begin in the order of registration, never inside {@link FutureState#complete}; a slow one does not
 * delay another. Their coroutines belong to the main scope: the end of the scope that registered them does not cancel
 * them, so the derived future always ends.
 *
 * <p>A value that is never used and an error that is never caught are reported once, as a warning, when the future is
 * unreachable or the run ends; {@link #ignore()} prevents that. Cancellations are not reported.
 *
 * <p>Loop thread only, except {@code awaitingInfo}, {@code completedLocation}, {@code createdLocation},
 * {@code isCancelled} and {@code isCompleted}.
 *
 * @param <T> type of the value
 */
public final class Future<T> implements Completable<T> {
    static {
        FutureAccess.register(new FutureAccess() {
            @Override
            protected @Nullable FutureCore<?> core(Object object) {
                return object instanceof Future<?> future ? future.core : null;
            }
        });
    }

    private final FutureCore<T> core;

    Future(FutureCore<T> core) {
        this.core = core;
    }

    /**
     * Returns a future that has a value already.
     *
     * @param value may be null
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> completed(T value) {
        var core = new FutureCore<T>(Runtimes.here("Future.completed"));
        core.complete(value);
        return new Future<>(core);
    }

    /**
     * Returns a future that has failed already.
     *
     * @param error what awaiting the future throws; a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> failed(Throwable error) {
        var core = new FutureCore<T>(Runtimes.here("Future.failed"));
        core.fail(error);
        return new Future<>(core);
    }

    /**
     * Returns a future with the outcome of a stage of another thread or library. Cancelling it does not cancel the
     * stage.
     *
     * @param foreign any stage
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> from(CompletionStage<T> foreign) {
        Objects.requireNonNull(foreign, "foreign");
        return new Future<>(StageFuture.of(Runtimes.here("Future.from"), foreign));
    }

    /**
     * As {@link #from(CompletionStage)}, for work that can be stopped. If the future is never awaited, the work just
     * goes on. Once the future has been awaited and all its waits have been given up, it is cancelled, which stops the
     * work.
     *
     * @param foreign any stage
     * @param stop called once, in a coroutine of its own, if the future is cancelled before the stage has ended; gets
     *     the reason
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> from(CompletionStage<T> foreign, Consumer<AsyncCancellation> stop) {
        Objects.requireNonNull(foreign, "foreign");
        Objects.requireNonNull(stop, "stop");
        return new Future<>(StageFuture.of(Runtimes.here("Future.from"), foreign, stop));
    }

    /**
     * Returns a future of the function's result for the value. If this future fails, the new one fails with the same
     * error, and the function is not called.
     *
     * @param f may wait; what it throws is the new future's error
     */
    public <R> Future<R> map(Function<? super T, ? extends R> f) {
        return new Future<>(Futures.map(core, f));
    }

    /**
     * Returns a future of the value, or of the function's result for the error or cancellation. Other libraries call
     * this {@code catch}.
     *
     * @param f gets the error that the future failed with, not wrapped; may wait; what it throws is the new future's
     *     error, with this one's as its cause
     */
    public Future<T> recover(Function<? super Throwable, ? extends T> f) {
        return new Future<>(Futures.recover(core, f));
    }

    /**
     * Returns a future with the outcome of this one, which ends after an action. The action runs in any case, also if
     * the new future is cancelled. It does not count as catching the error.
     *
     * @param f may wait; what it throws is the new future's error, with this one's as its cause
     */
    public Future<T> onFinally(Runnable f) {
        return new Future<>(Futures.onFinally(core, f));
    }

    /**
     * Waits until the future has ended and returns the value, or throws the error. If it has ended already, the call
     * costs no switch, and no other coroutine runs.
     *
     * @throws AsyncCancellation if this coroutine, or the future, was cancelled
     * @throws java.util.concurrent.CompletionException with the error as its cause, if that is a checked exception
     */
    public T await() {
        return Awaiting.one(this, null);
    }

    /**
     * As {@link #await()}; gives up when the token ends. The future goes on.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public T await(Completable<?> cancellation) {
        return Awaiting.one(this, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /** Turns off the reports of an unused value and of an uncaught error. Returns this. */
    public Future<T> ignore() {
        core.ignore();
        return this;
    }

    /** True once it has ended: by value, by error or by cancellation. */
    @Override
    public boolean isCompleted() {
        return core.isCompleted();
    }

    /** True if it has ended by a cancellation. */
    @Override
    public boolean isCancelled() {
        return core.isCancelled();
    }

    /** As {@link #cancel(AsyncCancellation)}, without a reason in words. */
    @Override
    public void cancel() {
        cancel(new AsyncCancellation());
    }

    /**
     * Ends this future with a cancellation, at once. Once it has ended, this only turns off the report of an unused
     * value. The future from which it was derived is not cancelled. The handler of a {@link #map} or {@link #recover}
     * is not called any more, or is cancelled if it runs already.
     *
     * @param reason what awaiting the future throws
     */
    @Override
    public void cancel(AsyncCancellation reason) {
        core.cancel(reason);
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        return core.toCompletableFuture();
    }

    /** Returns the line that created it, as {@code File.java:12}, or {@code unknown} when spawn sites are off. */
    public String createdLocation() {
        return core.createdLocation();
    }

    /**
     * Returns the line that completed it, as {@code File.java:40}, or {@code unknown} when it is pending or spawn sites
     * are off.
     */
    public String completedLocation() {
        return core.completedLocation();
    }

    /** Returns one line that says where it was created, and whether it is pending or completed. */
    public List<String> awaitingInfo() {
        return core.awaitingInfo();
    }

    @Override
    public String toString() {
        return core.info();
    }
}
