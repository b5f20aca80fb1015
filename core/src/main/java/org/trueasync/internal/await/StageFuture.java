package org.trueasync.internal.await;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * A future that ends with the outcome of a foreign stage. Like the stage, it keeps the run alive while a coroutine
 * waits for it.
 */
public class StageFuture<T> extends FutureCore<T> {
    private final Event stage;

    StageFuture(Loop loop, Event stage) {
        super(loop);
        this.stage = stage;
    }

    /**
     * Returns the future of a stage.
     *
     * @param loop the runtime's loop
     * @param foreign the stage
     */
    public static <T> FutureCore<T> of(Loop loop, CompletionStage<T> foreign) {
        loop.requireLoopThread("Future.from");
        StageEvent stage = StageEvent.of(loop, foreign);
        return follow(stage, new StageFuture<T>(loop, stage));
    }

    /**
     * Returns the future of a stage whose work can be stopped.
     *
     * @param loop the runtime's loop
     * @param foreign the stage
     * @param stop called in a coroutine of its own if the future is cancelled
     */
    public static <T> FutureCore<T> of(Loop loop, CompletionStage<T> foreign, Consumer<AsyncCancellation> stop) {
        loop.requireLoopThread("Future.from");
        StageEvent stage = StageEvent.of(loop, foreign);
        return follow(stage, new StoppableFuture<T>(loop, stage, stop));
    }

    private static <T> FutureCore<T> follow(StageEvent stage, StageFuture<T> future) {
        var callback = new Callback<>(future);
        if (stage.replay(callback)) return future;
        stage.addCallback(callback);
        stage.start(); // attaches the callback for good: the stage's end arrives even if nobody waits
        stage.stop();
        return future;
    }

    @Override
    protected void arm() {
        stage.start();
    }

    @Override
    protected void disarm() {
        stage.stop();
    }

    private static final class Callback<T> extends EventCallback {
        private final FutureCore<T> future;

        Callback(FutureCore<T> future) {
            this.future = future;
        }

        @Override
        @SuppressWarnings("unchecked")
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            event.removeCallback(this);
            if (error == null) future.tryComplete((T) result);
            else future.tryFail(unwrapped(error));
        }

        /** Unwraps checked errors: events wrap them for their waiters, but a future wraps them itself. */
        private static Throwable unwrapped(Throwable error) {
            Throwable cause = Causes.cause(error);
            if (!(error instanceof CompletionException) || cause == null) return error;
            return cause instanceof RuntimeException || cause instanceof Error ? error : cause;
        }
    }
}
