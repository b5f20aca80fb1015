package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ResumeCallback;

/**
 * The link of a wait to one event. Recycled by the wait, so that in a steady state one allocates nothing. The first one
 * of a wait is the wait itself: most need no other, and a million waiting coroutines are an ordinary load.
 */
sealed class Subscription extends EventCallback permits EventWait {
    private final EventWait wait;
    private @Nullable ResumeCallback callback;

    @Nullable
    Subscription next;

    boolean started;

    Subscription(EventWait wait) {
        this.wait = wait;
    }

    /** For the wait itself. */
    Subscription() {
        this.wait = (EventWait) this;
    }

    final void subscribe(Event event, ResumeCallback callback) {
        this.callback = callback;
        event.addCallback(this);
    }

    /** Leaves the event, disarming what this subscription armed. */
    final void release() {
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
    protected final void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        ResumeCallback handler = callback;
        if (handler == null) return;
        wait.triggered(event);
        // Only here: a wait that was given up has observed nothing.
        if (error != null && event instanceof CoroutineImpl<?> awaited) awaited.markObserved();
        handler.onEvent(wait, event, result, error);
        if (handler != ResumeCallback.RESOLVE) wait.noteTokenFired(error);
    }
}
