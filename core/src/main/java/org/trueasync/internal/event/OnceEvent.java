package org.trueasync.internal.event;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SourceEvent;

/** An event that happens once, and keeps what it brought for those who come late. Loop thread. */
public abstract class OnceEvent extends SourceEvent {
    private boolean happened;
    private @Nullable Object value;
    private @Nullable Throwable error;

    /**
     * One that has not happened.
     *
     * @param activeEvents where it counts while somebody waits
     */
    protected OnceEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /** True once it has. */
    protected final boolean hasHappened() {
        return happened;
    }

    /** What it brought; null also before it has happened, and if it failed. */
    protected final @Nullable Object value() {
        return value;
    }

    /** As what it failed; null if it has not. */
    protected final @Nullable Throwable error() {
        return error;
    }

    /**
     * It happens now; does nothing if it has.
     *
     * @param result what those who wait get
     * @param failure what they get thrown, or null
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
