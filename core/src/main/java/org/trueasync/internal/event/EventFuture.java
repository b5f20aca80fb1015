package org.trueasync.internal.event;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Shows an event's outcome as a {@link CompletableFuture}. */
public final class EventFuture<T> extends EventCallback {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Executor completer;
    /** The event has ended, or is about to end the future. */
    private volatile boolean told;

    private EventFuture() {}

    /**
     * A future that ends as the event does; the event is subscribed to, not started.
     *
     * @param event a one-shot event
     * @param continuations the future is completed there, as that runs the code of all who depend on it; and whoever has it may cancel or complete it
     *     himself, on any thread, which ends the subscription
     */
    public static <T> CompletableFuture<T> of(Event event, Continuations continuations) {
        return subscribed(event, continuations, false);
    }

    /** As {@link #of}; the event is started, too, for as long as the future is open. */
    public static <T> CompletableFuture<T> started(Event event, Continuations continuations) {
        return subscribed(event, continuations, true);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what follows the end does not fail
    private static <T> CompletableFuture<T> subscribed(Event event, Continuations continuations, boolean start) {
        var callback = new EventFuture<T>();
        if (event.replay(callback)) return callback.future;
        callback.completer = continuations.coroutines();
        event.addCallback(callback);
        if (start) event.start();
        // Not whenComplete, which asks the error what it says of itself.
        callback.future.handle((value, error) -> {
            if (!callback.told) continuations.loop().execute(() -> callback.leave(event, start));
            return callback;
        });
        return callback.future;
    }

    /** Somebody else has ended the future. */
    private void leave(Event event, boolean started) {
        if (told) return;
        event.removeCallback(this);
        if (started) event.stop();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object value, @Nullable Throwable error) {
        told = true;
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
