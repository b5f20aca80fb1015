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
 * A value that will be there later: the read side of a {@link FutureState}. It can be awaited any number of times, and others can follow from it.
 *
 * <p>Handlers given to {@link #map}, {@link #recover} and {@link #onFinally} run in coroutines of their own, which may wait, in the order of
 * registration and never inside {@link FutureState#complete}; a slow one does not hold up another. They belong to the main scope: what cancels the
 * scope that made them does not reach them, so the derived future always ends.
 *
 * <p>A value that nobody ever uses and an error that nobody catches are reported once, as a warning, when the future is unreachable or the run ends;
 * {@link #ignore()} prevents that. Cancellations are not reported.
 *
 * <p>Loop thread only, except {@code awaitingInfo}, {@code completedLocation}, {@code createdLocation}, {@code isCancelled} and {@code isCompleted}.
 *
 * @param <T> type of the value
 */
public final class Future<T> implements Completable<T> {
    static {
        FutureAccess.register(new FutureAccess() {
            @Override
            protected @Nullable FutureCore<?> core(Object perhaps) {
                return perhaps instanceof Future<?> future ? future.core : null;
            }
        });
    }

    private final FutureCore<T> core;

    Future(FutureCore<T> core) {
        this.core = core;
    }

    /**
     * A future that has a value already.
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
     * A future that has failed already.
     *
     * @param error what those who wait for it will see thrown; a checked exception as the cause of a
     *     {@link java.util.concurrent.CompletionException}
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> failed(Throwable error) {
        var core = new FutureCore<T>(Runtimes.here("Future.failed"));
        core.fail(error);
        return new Future<>(core);
    }

    /**
     * A future that ends as a stage of another thread or library does. Cancelling it does not cancel the stage.
     *
     * @param foreign any stage
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> from(CompletionStage<T> foreign) {
        Objects.requireNonNull(foreign, "foreign");
        return new Future<>(StageFuture.of(Runtimes.here("Future.from"), foreign));
    }

    /**
     * As {@link #from(CompletionStage)}, for work that can be stopped. Nobody has to wait for the future, then the work just goes on. Once somebody has
     * waited for it and nobody does any more, it is cancelled.
     *
     * @param foreign any stage
     * @param stop called once if the future is cancelled before the stage has ended, in a coroutine of its own; gets the reason
     * @throws AsyncException outside a runtime
     */
    public static <T> Future<T> from(CompletionStage<T> foreign, Consumer<AsyncCancellation> stop) {
        Objects.requireNonNull(foreign, "foreign");
        Objects.requireNonNull(stop, "stop");
        return new Future<>(StageFuture.of(Runtimes.here("Future.from"), foreign, stop));
    }

    /**
     * A future of what a function makes of the value. If this one fails, so does that, with the same error; the function is not called.
     *
     * @param f may wait; what it throws is the new future's error
     */
    public <R> Future<R> map(Function<? super T, ? extends R> f) {
        return new Future<>(Futures.map(core, f));
    }

    /**
     * A future of the value, or of what a function makes of the error, a cancellation included. In other languages this is {@code catch}.
     *
     * @param f gets what the future failed with, as it was given; may wait; what it throws is the new future's error, with this one's as its cause
     */
    public Future<T> recover(Function<? super Throwable, ? extends T> f) {
        return new Future<>(Futures.recover(core, f));
    }

    /**
     * A future that ends as this one does, after an action that is run in any case, also if the new future is cancelled. It does not count as catching
     * the error.
     *
     * @param f may wait; what it throws is the new future's error, with this one's as its cause
     */
    public Future<T> onFinally(Runnable f) {
        return new Future<>(Futures.onFinally(core, f));
    }

    /**
     * The value, or the error thrown; waits for it if need be. Once it has ended this costs no switch and lets nobody else run.
     *
     * @throws AsyncCancellation if this coroutine, or the future, was cancelled
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

    /** Nobody needs the value, and the error is nobody's business: neither is reported. Returns this. */
    public Future<T> ignore() {
        core.ignore();
        return this;
    }

    /** True once it has ended: by value, by error or by cancellation. */
    @Override
    public boolean isCompleted() {
        return core.isCompleted();
    }

    /** True only when it has ended by a cancellation. */
    @Override
    public boolean isCancelled() {
        return core.isCancelled();
    }

    /** As {@link #cancel(AsyncCancellation)}, with no particular reason. */
    @Override
    public void cancel() {
        cancel(new AsyncCancellation());
    }

    /**
     * Ends this future with a cancellation, at once; does nothing once it has ended. What it was derived from is not cancelled, but the handler of its
     * own is: one of {@link #map} or {@link #recover} is not called any more, or cancelled if it is under way.
     *
     * @param reason what those who wait for it see thrown
     */
    @Override
    public void cancel(AsyncCancellation reason) {
        core.cancel(reason);
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        return core.toCompletableFuture();
    }

    /** {@code File.java:12}, where it was made, or {@code unknown} when spawn sites are off. */
    public String createdLocation() {
        return core.createdLocation();
    }

    /** {@code File.java:40}, where it was completed, or {@code unknown} when it is pending or spawn sites are off. */
    public String completedLocation() {
        return core.completedLocation();
    }

    /** One line that tells where it was made, and whether it is pending or completed. */
    public List<String> awaitingInfo() {
        return core.awaitingInfo();
    }

    @Override
    public String toString() {
        return core.info();
    }
}
