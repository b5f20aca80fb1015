package org.trueasync.internal.future;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;

/**
 * The step from one future to a derived one. It waits as a callback of the source, runs the handler in a coroutine of
 * its own, waits as a callback of that coroutine, and completes the derived future.
 *
 * <p>The coroutine belongs to the main scope, not to the scope that derived or completed the future: a cancelled scope
 * must not keep the futures of others from ending. If a shutdown cancels it nevertheless, the derived future is
 * cancelled too.
 *
 * <p>A step that is skipped runs no user code. If it has waited for the source, it takes a microtask in place of a
 * coroutine: direct calls would overflow the stack in a long chain.
 */
abstract class Derivation<S, R> extends EventCallback implements Callable<R> {
    final FutureCore<S> source;
    final DerivedCore<R> derived;
    private @Nullable CoroutineImpl<R> handler;

    private Derivation(FutureCore<S> source) {
        this.source = source;
        this.derived = new DerivedCore<>(source);
        derived.follows(this);
    }

    /** Begins the step; returns the derived future. */
    final FutureCore<R> begin() {
        if (!source.isCompleted()) source.addCallback(this);
        else if (isSkipped()) passOn();
        else runHandler();
        return derived;
    }

    @Override
    protected final void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        event.removeCallback(this);
        if (event != source) handlerEnded();
        else if (isSkipped()) Microtask.of(this::passOn).enqueue();
        else runHandler();
    }

    private void runHandler() {
        try {
            CoroutineImpl<R> running = source.loop.spawnHandler(this);
            running.addCallback(this);
            handler = running;
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void handlerEnded() {
        CoroutineImpl<R> ended = Objects.requireNonNull(handler);
        handler = null;
        Throwable thrown = ended.exception();
        if (thrown != null) failed(thrown);
        else succeeded(ended.result());
    }

    /** Fails the derived future: the handler has thrown, or could not be started. */
    void failed(Throwable thrown) {
        derived.detach();
        Throwable earlier = source.error();
        // A cancellation may be shared by many coroutines, as at a shutdown; nothing is attached to it.
        Throwable error =
                earlier == null || thrown instanceof AsyncCancellation ? thrown : Causes.after(thrown, earlier);
        source.markCaught();
        if (derived.tryFail(error) || error instanceof AsyncCancellation) return;
        Loop loop = source.loop;
        loop.inService(() -> loop.report(
                "The handler of a future that was cancelled meanwhile has failed:\n" + Causes.trace(error)));
    }

    /** Completes the derived future with the handler's value. */
    void succeeded(@Nullable R value) {
        derived.detach();
        derived.tryComplete(value);
    }

    /** Ends the derived future with the outcome of the source. */
    @SuppressWarnings("unchecked") // the outcome is an error, or a value of the same type
    final void passOn() {
        derived.detach();
        if (!derived.isCompleted()) derived.takeOutcomeOf((FutureCore<R>) source);
    }

    /** Abandons the step, because the derived future was cancelled by its reader. */
    void abandon(AsyncCancellation reason) {
        if (source.removeCallback(this)) return;
        if (handler != null) handler.cancel(reason);
    }

    /** True if the step has no handler for this outcome of the source. */
    abstract boolean isSkipped();

    static final class Mapping<S, R> extends Derivation<S, R> {
        private final Function<? super S, ? extends R> f;

        Mapping(FutureCore<S> source, Function<? super S, ? extends R> f) {
            super(source);
            this.f = f;
        }

        @Override
        boolean isSkipped() {
            return source.error() != null;
        }

        @Override
        public R call() {
            return f.apply(source.value());
        }
    }

    static final class Recovery<T> extends Derivation<T, T> {
        private final Function<? super Throwable, ? extends T> f;

        Recovery(FutureCore<T> source, Function<? super Throwable, ? extends T> f) {
            super(source);
            this.f = f;
        }

        @Override
        boolean isSkipped() {
            return source.error() == null;
        }

        @Override
        public T call() {
            return f.apply(Objects.requireNonNull(source.error()));
        }
    }

    /** A handler that runs in any case, even if the derived future is cancelled: it may release something. */
    static final class AtEnd<T> extends Derivation<T, T> {
        private final Runnable f;

        AtEnd(FutureCore<T> source, Runnable f) {
            super(source);
            this.f = f;
        }

        @Override
        boolean isSkipped() {
            return false;
        }

        @Override
        @SuppressWarnings("NullAway") // its value is the source's
        public T call() {
            f.run();
            return null;
        }

        @Override
        void succeeded(@Nullable T value) {
            derived.markUsed(); // its value needs no report
            passOn();
        }

        @Override
        void failed(Throwable thrown) {
            // Cancelled with the run: the source's error is still what has to be reported.
            if (thrown instanceof AsyncCancellation && source.error() != null) passOn();
            else super.failed(thrown);
        }

        @Override
        void abandon(AsyncCancellation reason) {}
    }
}
