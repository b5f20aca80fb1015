package org.trueasync.internal.jdbc;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;

/**
 * What one thread has done in a coroutine of another runtime, or of the runtime on whose loop it runs without being a coroutine. Whoever waits may leave at any time: what the
 * coroutine brings then goes to somebody who puts it away.
 */
final class OutsideCall<T> {
    /** How it ended. An error is part of the value, so that nothing wraps it on its way. */
    record Outcome<T>(@Nullable T value, @Nullable Throwable error) {}

    private final Entrance entrance;
    private final Callable<T> work;
    private final Consumer<? super T> unwanted;
    private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();

    /** By the coroutine that serves it, or by whoever makes sure that none will. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private @Nullable Coroutine<?> server;

    OutsideCall(Entrance entrance, Callable<T> work, Consumer<? super T> unwanted) {
        this.entrance = entrance;
        this.work = work;
        this.unwanted = unwanted;
    }

    /** In its coroutine. */
    void serve() {
        if (!taken.compareAndSet(false, true)) return;
        server = Async.currentCoroutine();
        T value;
        try {
            value = work.call();
        } catch (Throwable e) {
            server = null;
            end(new Outcome<>(null, e));
            return;
        }
        server = null;
        if (!end(new Outcome<>(value, null))) unwanted.accept(value);
    }

    private boolean end(Outcome<T> how) {
        entrance.ended(this);
        return outcome.complete(how);
    }

    /** Its runtime ends. What has begun ends with it, and is not waited for. */
    void runEnds() {
        boolean begun = !taken.compareAndSet(false, true);
        end(new Outcome<>(null, new RunEnded(begun)));
    }

    /**
     * Waits for the outcome, in the way of whoever calls; leaves it if the limit comes first, or if it need not be had any more.
     *
     * @param limit zero for none
     * @return null if the time ran out
     * @throws InterruptedException if the thread was interrupted, which a coroutine is not
     * @throws org.trueasync.AsyncCancellation if the coroutine was cancelled
     */
    @Nullable
    Outcome<T> await(Duration limit) throws InterruptedException {
        try {
            return awaitAny(limit);
        } catch (TimeoutException | OperationCanceledException late) {
            return leave();
        } catch (Throwable e) {
            Outcome<T> after = leave();
            // It came at the last moment, and nobody will have it.
            if (after != null && after.error() == null) putAway(after);
            throw e;
        }
    }

    /**
     * Waits for the end of something that goes on in any case, for as long as that makes sense here.
     *
     * @param limit zero for none
     * @return null if it has not ended
     */
    @Nullable
    Outcome<T> awaitEnd(Duration limit) {
        // a callback of the loop's waits for nobody
        if (Callers.isLoopItself()) return outcome.getNow(null);
        try {
            return awaitAny(limit);
        } catch (TimeoutException | AsyncCancellation | AsyncException late) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Outcome<T> awaitAny(Duration limit) throws InterruptedException, TimeoutException {
        return Callers.coroutine() != null ? awaitHere(limit) : awaitOnThread(limit);
    }

    private Outcome<T> awaitHere(Duration limit) {
        return limit.isZero() ? Async.await(outcome) : Async.await(outcome, Async.timeout(limit));
    }

    private Outcome<T> awaitOnThread(Duration limit) throws InterruptedException, TimeoutException {
        try {
            return limit.isZero() ? outcome.get() : outcome.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("Bug in TrueAsync: an outcome failed", impossible);
        }
    }

    /** Nobody waits any more; null, unless the outcome has come at the last moment. */
    private @Nullable Outcome<T> leave() {
        if (!outcome.cancel(false)) return outcome.join();
        entrance.post(() -> {
            Coroutine<?> busy = server;
            if (busy != null) busy.cancel();
        });
        return null;
    }

    @SuppressWarnings("NullAway") // a value is null only where T allows it
    private void putAway(Outcome<T> after) {
        entrance.call(
                () -> {
                    unwanted.accept(after.value());
                    return true;
                },
                done -> {});
    }

    /** Its runtime has ended before it could. */
    static final class RunEnded extends Exception {
        private static final long serialVersionUID = 1;

        /** True if a coroutine was at it, which has done what it could. */
        final boolean begun;

        RunEnded(boolean begun) {
            super("the runtime has ended");
            this.begun = begun;
        }
    }
}
