package org.trueasync.internal.event;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/** An event that happens once, and keeps its outcome for later subscribers. Loop thread. */
public abstract class OnceEvent extends SourceEvent {
    private boolean happened;
    private @Nullable Object value;
    private @Nullable Throwable error;

    /**
     * Creates an event that has not happened.
     *
     * @param activeEvents the count of active events; this event counts there while somebody waits for it
     */
    protected OnceEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    protected final boolean hasHappened() {
        return happened;
    }

    /** Returns its value; null also before it has happened, and if it failed. */
    protected final @Nullable Object value() {
        return value;
    }

    /** Returns its error; null if it has not failed. */
    protected final @Nullable Throwable error() {
        return error;
    }

    /**
     * Makes the event happen now; has no effect if it has happened already.
     *
     * @param result the value for the waiters
     * @param failure the error for the waiters, or null
     */
    protected final void happen(@Nullable Object result, @Nullable Throwable failure) {
        if (happened) return;
        happened = true;
        value = result;
        error = failure;
        close();
        notifyCallbacks(result, failure);
    }

    @Override
    protected void armSource() {}

    @Override
    protected void disarmSource() {}

    @Override
    public final boolean replay(EventCallback callback) {
        if (!happened) return super.replay(callback);
        deliver(callback, value, error);
        return true;
    }
}
