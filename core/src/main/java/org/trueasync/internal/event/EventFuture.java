package org.trueasync.internal.event;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Shows an event's outcome as a {@link CompletableFuture}. */
public final class EventFuture<T> extends EventCallback {
    private final CompletableFuture<T> future = new CompletableFuture<>();

    private EventFuture() {}

    /**
     * A future that ends as the event does; the event is subscribed to, not started.
     *
     * @param event a one-shot event
     */
    public static <T> CompletableFuture<T> of(Event event) {
        var callback = new EventFuture<T>();
        if (!event.replay(callback)) event.addCallback(callback);
        return callback.future;
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void onEvent(Event event, @Nullable Object value, @Nullable Throwable error) {
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
