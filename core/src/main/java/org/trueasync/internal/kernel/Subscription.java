package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;

/** A waker's link to one event. Recycled by its waker, so that a wait in a steady state allocates nothing. */
final class Subscription extends EventCallback {
    private final EmbeddedWaker waker;
    private @Nullable ResumeCallback callback;

    @Nullable
    Subscription nextOfWaker;

    boolean started;

    Subscription(EmbeddedWaker waker) {
        this.waker = waker;
    }

    void subscribe(Event event, ResumeCallback callback) {
        this.callback = callback;
        event.addCallback(this);
    }

    /** Leaves the event, disarming what this subscription armed. */
    void release() {
        Event event = event();
        if (event == null) return;
        callback = null;
        event.removeCallback(this);
        if (started) {
            started = false;
            event.stop();
        }
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        ResumeCallback handler = callback;
        if (handler == null) return;
        waker.triggered(event);
        // Only here: a wait that was given up has observed nothing.
        if (error != null && event instanceof CoroutineImpl<?> awaited) awaited.markObserved();
        handler.onEvent(waker, event, result, error);
        if (handler != ResumeCallback.RESOLVE) waker.noteTokenFired(error);
    }
}
