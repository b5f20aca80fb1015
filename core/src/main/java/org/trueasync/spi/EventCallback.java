package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * One subscription: what an {@link Event} calls when it fires. The object is itself the link of the event's list, so
 * that subscribing allocates nothing and leaving is O(1) whatever the number of subscribers; it can therefore be on one
 * event at a time.
 *
 * <p>Loop thread only.
 */
public abstract class EventCallback {
    @Nullable
    Event event;

    @Nullable
    EventCallback previous;

    @Nullable
    EventCallback next;

    /** A callback that is on no event yet. */
    protected EventCallback() {}

    /**
     * Called where the event fires, in the middle of a turn of the loop or in a coroutine, to record what happened and
     * to queue the coroutines that must know. It must not suspend, block, take a lock or run user code. If it throws in
     * a turn of the loop, that is an error of the runtime and starts the shutdown. It may add and remove callbacks of
     * any event, also of this one.
     *
     * @param event which event fired
     * @param result its value, null if it has none or failed
     * @param error why it failed, or null
     */
    protected abstract void onEvent(Event event, @Nullable Object result, @Nullable Throwable error);

    /** True while it is on an event's list. */
    public final boolean isSubscribed() {
        return event != null;
    }

    /** The event that it is subscribed to, or null. */
    public final @Nullable Event event() {
        return event;
    }
}
