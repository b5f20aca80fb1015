package org.trueasync.internal.event;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Passes an event's outcome to a {@link CompletableFuture}. */
public final class EventFuture<T> extends EventCallback {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Executor completer;
    /** True once the event has fired: from then on the event completes the future. */
    private volatile boolean fired;

    private EventFuture() {}

    /**
     * Returns a future that ends as the event does; if the event has happened already, the future has ended. The event
     * is subscribed to, not started.
     *
     * @param event a one-shot event
     * @param continuations the future is completed in {@code coroutineExecutor}, as that runs the code of all its
     *     dependents. If the user cancels or completes it, on any thread, the subscription ends in {@code loopExecutor}
     */
    public static <T> CompletableFuture<T> of(Event event, Continuations continuations) {
        return subscribed(event, continuations, false);
    }

    /** Returns a future as {@link #of} does; the event is also started, until the future ends. */
    public static <T> CompletableFuture<T> started(Event event, Continuations continuations) {
        return subscribed(event, continuations, true);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the handler of the future's end does not fail
    private static <T> CompletableFuture<T> subscribed(Event event, Continuations continuations, boolean start) {
        var callback = new EventFuture<T>();
        if (event.replay(callback)) return callback.future;
        callback.completer = continuations.coroutineExecutor();
        event.addCallback(callback);
        if (start) event.start();
        // Not whenComplete, because that calls methods of the error.
        callback.future.handle((value, error) -> {
            if (!callback.fired) continuations.loopExecutor().execute(() -> callback.leave(event, start));
            return callback;
        });
        return callback.future;
    }

    /** Unsubscribes, if the user has ended the future before the event. */
    private void leave(Event event, boolean started) {
        if (fired) return;
        event.removeCallback(this);
        if (started) event.stop();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object value, @Nullable Throwable error) {
        fired = true;
        if (completer == null) complete(value, error);
        else completer.execute(() -> complete(value, error));
    }

    @SuppressWarnings("unchecked")
    private void complete(@Nullable Object value, @Nullable Throwable error) {
        if (error == null) future.complete((T) value);
        else future.completeExceptionally(shown(error));
    }

    private static Throwable shown(Throwable error) {
        if (!(error instanceof AsyncCancellation)) return error;
        var cancellation = new CancellationException(Causes.message(error));
        cancellation.initCause(error);
        return cancellation;
    }
}
