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

/** A future that ends as a foreign stage does. It keeps the run alive as the stage does: while somebody waits. */
public class StageFuture<T> extends FutureCore<T> {
    private final Event stage;

    StageFuture(Loop loop, Event stage) {
        super(loop);
        this.stage = stage;
    }

    /**
     * The future of a stage.
     *
     * @param loop the runtime's
     * @param foreign any stage
     */
    public static <T> FutureCore<T> of(Loop loop, CompletionStage<T> foreign) {
        loop.requireLoopThread("Future.from");
        StageEvent stage = StageEvent.of(loop, foreign);
        return follow(stage, new StageFuture<T>(loop, stage));
    }

    /**
     * As {@link #of(Loop, CompletionStage)}, for work that can be stopped.
     *
     * @param loop the runtime's
     * @param foreign any stage
     * @param stop told in a coroutine of its own that nobody wants the outcome any more
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
        stage.start(); // from now on it tells its end, whoever waits
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

        /** Events wrap checked errors for those who wait; a future does that by itself. */
        private static Throwable unwrapped(Throwable error) {
            Throwable cause = Causes.cause(error);
            if (!(error instanceof CompletionException) || cause == null) return error;
            return cause instanceof RuntimeException || cause instanceof Error ? error : cause;
        }
    }
}
