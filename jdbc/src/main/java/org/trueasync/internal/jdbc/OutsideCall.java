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
 * A call that a coroutine of one runtime makes for a caller outside: a coroutine of another runtime, or a thread that
 * is no coroutine. The caller waits, and may leave at any time; then {@code unwanted} gets the value and gives it back.
 */
final class OutsideCall<T> {
    /** How the call ended. An error is a part of the future's value, so that nothing wraps it on its way. */
    record Outcome<T>(@Nullable T value, @Nullable Throwable error) {}

    private final OutsideCalls calls;
    private final Callable<T> work;
    private final Consumer<? super T> unwanted;
    private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();

    /** Set by the coroutine that serves the call, or by {@link #failAtEndOfRun}, after which no coroutine serves it. */
    private final AtomicBoolean claimed = new AtomicBoolean();

    /** Set before the caller is asked for, and read after it has left: one of the two learns of the other. */
    private volatile @Nullable Coroutine<?> server;

    OutsideCall(OutsideCalls calls, Callable<T> work, Consumer<? super T> unwanted) {
        this.calls = calls;
        this.work = work;
        this.unwanted = unwanted;
    }

    /** Does the work, unless the run has ended. In the coroutine that serves the call; in no coroutine at that end. */
    void serve() {
        Coroutine<?> self = Callers.coroutine();
        if (self == null) failAtEndOfRun();
        if (!claimed.compareAndSet(false, true)) return;
        server = self;
        if (outcome.isDone()) return; // the caller has left, and perhaps found no coroutine to cancel
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

    private boolean end(Outcome<T> result) {
        calls.ended(this);
        return outcome.complete(result);
    }

    /**
     * Fails the call because its runtime ends. Work that has begun ends with the runtime; the caller does not wait for
     * it.
     */
    void failAtEndOfRun() {
        boolean begun = !claimed.compareAndSet(false, true);
        end(new Outcome<>(null, new RunEnded(begun)));
    }

    /**
     * Waits for the outcome: a coroutine suspends, any other thread blocks. Leaves the call if the limit passes first
     * or the wait throws.
     *
     * @param limit zero for none
     * @return null if the limit has passed
     * @throws InterruptedException if the thread, which is no coroutine then, was interrupted
     * @throws org.trueasync.AsyncCancellation if the coroutine was cancelled
     */
    @Nullable
    Outcome<T> await(Duration limit) throws InterruptedException {
        try {
            return awaitOutcome(limit);
        } catch (TimeoutException | OperationCanceledException late) {
            return abandon();
        } catch (Throwable e) {
            Outcome<T> late = abandon();
            // The value came at the last moment, and the caller does not take it.
            if (late != null && late.error() == null) passToUnwanted(late);
            throw e;
        }
    }

    /**
     * Waits for the outcome, and never leaves the call, which goes on in any case. Ends the wait early after a
     * cancellation or an interrupt; does not wait in a callback of the loop.
     *
     * @param limit zero for none
     * @return null if the call has not ended
     */
    @Nullable
    Outcome<T> awaitEnd(Duration limit) {
        // a callback of the loop must not wait
        if (Callers.isLoopItself()) return outcome.getNow(null);
        try {
            return awaitOutcome(limit);
        } catch (TimeoutException | AsyncCancellation | AsyncException late) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Outcome<T> awaitOutcome(Duration limit) throws InterruptedException, TimeoutException {
        return Callers.coroutine() != null ? awaitInCoroutine(limit) : awaitOnThread(limit);
    }

    private Outcome<T> awaitInCoroutine(Duration limit) {
        return limit.isZero() ? Async.await(outcome) : Async.await(outcome, Async.timeout(limit));
    }

    private Outcome<T> awaitOnThread(Duration limit) throws InterruptedException, TimeoutException {
        try {
            return limit.isZero() ? outcome.get() : outcome.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("Bug in TrueAsync: an outcome failed", impossible);
        }
    }

    /**
     * Gives up the wait and cancels the coroutine that serves the call. Returns null, or the outcome if it came at the
     * last moment.
     */
    private @Nullable Outcome<T> abandon() {
        if (!outcome.cancel(false)) return outcome.join();
        calls.ended(this);
        if (server == null) return null; // the work has not begun, and will not
        calls.begin(() -> {
            Coroutine<?> busy = server;
            if (busy != null && Callers.coroutine() != null) busy.cancel();
        });
        return null;
    }

    @SuppressWarnings("NullAway") // a value is null only where T allows it
    private void passToUnwanted(Outcome<T> late) {
        calls.call(
                () -> {
                    unwanted.accept(late.value());
                    return true;
                },
                done -> {});
    }

    /** Means that the runtime ended before the call did. */
    static final class RunEnded extends Exception {
        private static final long serialVersionUID = 1;

        /** True if a coroutine had begun the work; the caller must not do it again. */
        final boolean begun;

        RunEnded(boolean begun) {
            super("the runtime has ended");
            this.begun = begun;
        }
    }
}
