package org.trueasync.internal.grpc;

import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * Tells a call that its caller was cancelled, wherever that waited: a blocking stub tells only of a wait for the call
 * itself. A caller that has returned may have left the call to an observer. Loop thread.
 */
final class CallerEnd extends EventCallback {
    private final Runnable cancelled;

    CallerEnd(Runnable cancelled) {
        this.cancelled = cancelled;
    }

    /** Begins to watch the coroutine that runs. */
    void watch() {
        if (Async.currentCoroutine() instanceof Event caller) caller.addCallback(this);
    }

    void forget() {
        Event caller = event();
        if (caller != null) caller.removeCallback(this);
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        if (((Coroutine<?>) event).isCancelled()) cancelled.run();
    }
}
