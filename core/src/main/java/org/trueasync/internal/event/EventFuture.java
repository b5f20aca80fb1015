package org.trueasync.internal.event;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Shows an event's outcome as a {@link CompletableFuture}. */
public final class EventFuture<T> extends EventCallback {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Executor completer;

    private EventFuture() {}

    /**
     * A future that ends as the event does; the event is subscribed to, not started.
     *
     * @param event a one-shot event
     * @param completer where the future is completed, as that runs the code of all who depend on it
     */
    public static <T> CompletableFuture<T> of(Event event, Executor completer) {
        var callback = new EventFuture<T>();
        if (event.replay(callback)) return callback.future;
        callback.completer = completer;
        event.addCallback(callback);
        return callback.future;
    }

    @Override
    protected void onEvent(Event event, @Nullable Object value, @Nullable Throwable error) {
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
        var cancellation = new CancellationException(error.getMessage());
        cancellation.initCause(error);
        return cancellation;
    }
}
