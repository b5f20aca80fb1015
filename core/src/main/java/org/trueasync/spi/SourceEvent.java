package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * An event with a source outside of coroutines: a timer, a descriptor, another thread. While it is active and not
 * hidden, it counts as able to wake a coroutine: it keeps the run alive and rules a deadlock out.
 *
 * <p>Loop thread only.
 */
public abstract class SourceEvent extends Event {
    private final ActiveEvents activeEvents;
    private @Nullable NotifyHook notifyHook;

    /**
     * An event that counts itself as active while it is started, unless it is hidden.
     *
     * @param activeEvents the count of active events of its runtime
     */
    protected SourceEvent(ActiveEvents activeEvents) {
        this.activeEvents = activeEvents;
    }

    @Override
    protected final void arm() {
        if (!isHidden()) activeEvents.increment();
        try {
            armSource();
        } catch (Throwable e) {
            if (!isHidden()) activeEvents.decrement();
            throw e;
        }
    }

    @Override
    protected final void disarm() {
        if (!isHidden()) activeEvents.decrement();
        disarmSource();
    }

    @Override
    protected final void requireLoopThread() {
        activeEvents.requireLoopThread();
    }

    /** Starts the source; see {@link Event#arm}. */
    protected abstract void armSource();

    /** Stops the source; see {@link Event#disarm}. */
    protected abstract void disarmSource();

    /**
     * Sets the hook that sees each firing before the callbacks do, and may change what they get. It does not see
     * replays, nor the error that {@link #dispose} gives to waiters.
     *
     * @param hook the hook, or null for none
     * @throws org.trueasync.AsyncException on a foreign thread
     */
    public final void setNotifyHook(@Nullable NotifyHook hook) {
        requireLoopThread();
        notifyHook = hook;
    }

    @Override
    protected final @Nullable NotifyHook notifyHook() {
        return notifyHook;
    }
}
