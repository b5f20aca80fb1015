package org.trueasync.spi;

import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Awaitable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;

/**
 * Something that a coroutine can wait for. A {@link Waker} knows the things that it waits for by this type only.
 *
 * <p>Life: created &rarr; active (between the first {@link #start} and the last {@link #stop}) &rarr; fired, any number
 * of times &rarr; closed, for good. A one-shot event closes when it fires; a periodic timer or a poll does not.
 * Starting arms the source of the event; an event that has no source to arm (a coroutine, a future) ignores start and
 * stop.
 *
 * <p>Loop thread only, except {@code hasCallbacks}, {@code info}, {@code isActive}, {@code isClosed},
 * {@code isDisposed} and {@code isHidden}. A subclass fires with {@link #notifyCallbacks} and ends with {@link #close}.
 */
public abstract class Event implements Awaitable {
    private static final int CLOSED = 1;
    private static final int HIDDEN = 2;
    private static final int DISPOSED = 4;
    /** Set while callbacks are being called. */
    private static final int NOTIFYING = 8;

    private static final int START_UNIT = 16;

    private @Nullable EventCallback first;
    private @Nullable EventCallback last;
    /**
     * Flags in the low bits, the number of starts above them. Packed, because every coroutine contains an event and
     * must be small.
     */
    private int state;

    /** An event that has not fired. */
    protected Event() {}

    // ---- subscribers

    /**
     * Adds a callback at the end of the list. It is called on every later notification, not on one that is in progress.
     *
     * @param callback on no event at present
     * @throws IllegalStateException if it is subscribed already
     */
    public final void addCallback(EventCallback callback) {
        requireLoopThread();
        if (callback.event != null)
            throw new IllegalStateException("callback is subscribed already, to " + callback.event.info());
        insertAfter(last, callback);
    }

    /**
     * Removes a callback. If a notification is in progress and has not reached it, it is not called any more.
     *
     * @param callback any callback
     * @return false if it was not subscribed to this event
     */
    public final boolean removeCallback(EventCallback callback) {
        if (callback.event != this) return false;
        requireLoopThread();
        unlink(callback);
        return true;
    }

    /** Links a callback in behind {@code previous}; at the front if that is null. */
    private void insertAfter(@Nullable EventCallback previous, EventCallback callback) {
        EventCallback next = previous == null ? first : previous.next;
        callback.event = this;
        callback.previous = previous;
        callback.next = next;
        if (previous == null) first = callback;
        else previous.next = callback;
        if (next == null) last = callback;
        else next.previous = callback;
    }

    private void unlink(EventCallback callback) {
        if (callback.previous == null) first = callback.next;
        else callback.previous.next = callback.next;
        if (callback.next == null) last = callback.previous;
        else callback.next.previous = callback.previous;
        callback.event = null;
        callback.previous = null;
        callback.next = null;
    }

    /** True if anything is subscribed. */
    public final boolean hasCallbacks() {
        EventCallback callback = first;
        while (callback instanceof Marker) callback = callback.next;
        return callback != null;
    }

    /**
     * Calls every callback, in the order of subscription. A callback that is removed before its turn is not called; one
     * that is added meanwhile is called from the next notification on. If a callback throws, the others are still
     * called; then this method throws the first error, with later ones suppressed in it.
     *
     * @param result the value, or null
     * @param error the error, or null
     */
    protected final void notifyCallbacks(@Nullable Object result, @Nullable Throwable error) {
        NotifyHook hook = notifyHook();
        if (hook != null) {
            var notification = new NotifyHook.Notification(result, error);
            hook.beforeNotify(notification);
            result = notification.result;
            error = notification.error;
        }
        tell(result, error);
    }

    private void tell(@Nullable Object result, @Nullable Throwable error) {
        EventCallback only = first;
        if (only == null) return;
        int outer = state & NOTIFYING;
        state |= NOTIFYING;
        try {
            if (only.next == null) only.onEvent(this, result, error);
            else notifyEach(result, error);
        } finally {
            state = (state & ~NOTIFYING) | outer;
        }
    }

    /*
     * The position of this notification in the list, and its end, are marker nodes of the list itself. So callbacks can
     * be added and removed meanwhile: a removed one is not reached any more, an added one is behind the end.
     * Notifications nest when a callback fires the same event; each skips the markers of the others.
     */
    private void notifyEach(@Nullable Object result, @Nullable Throwable error) {
        var end = new Marker();
        var place = new Marker();
        addCallback(end);
        insertAfter(null, place);
        Throwable thrown = null;
        for (EventCallback callback = place.next; callback != end && callback != null; callback = place.next) {
            unlink(place);
            insertAfter(callback, place);
            if (callback instanceof Marker) continue;
            try {
                callback.onEvent(this, result, error);
            } catch (Throwable e) {
                // one failing callback must not keep the others from being woken
                thrown = Causes.joined(thrown, e);
            }
        }
        unlink(place);
        unlink(end);
        if (thrown != null) throw Throwing.sneaky(thrown);
    }

    private static final class Marker extends EventCallback {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {}
    }

    // ---- arming

    /**
     * Arms the event. Calls are counted; only the first one arms. If arming throws, the call does not count. Does
     * nothing once the event is closed.
     */
    public void start() {
        requireLoopThread();
        if ((state & CLOSED) != 0) return;
        boolean wasActive = isActive();
        state += START_UNIT;
        if (wasActive) return;
        try {
            arm();
        } catch (Throwable e) {
            state -= START_UNIT;
            throw e;
        }
    }

    /**
     * Undoes one {@link #start}; the last call disarms. A surplus call, or one after the event closed, does nothing.
     */
    public void stop() {
        requireLoopThread();
        if (!isActive()) return;
        state -= START_UNIT;
        if (!isActive()) disarm();
    }

    /** True between the first start and the last stop. */
    public final boolean isActive() {
        return state >= START_UNIT;
    }

    /**
     * Fails, before anything is changed, unless called on the event's own thread. An event that does not know its
     * thread accepts every thread.
     *
     * @throws AsyncException on another thread; the message names the right one
     */
    protected void requireLoopThread() {}

    /**
     * Starts the source of the event; called by the first {@link #start}. May fire or close the event at once, or throw
     * if the source can't be started.
     */
    protected void arm() {}

    /**
     * Stops the source of the event; called by the last {@link #stop}, and by {@link #close} if the event was active.
     */
    protected void disarm() {}

    // ---- end

    /** True once the event can't fire any more. */
    public final boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /**
     * Disarms for good. Callbacks stay subscribed until they are removed, so that a one-shot event may close and then
     * notify. Idempotent.
     */
    protected final void close() {
        if (isClosed()) return;
        boolean wasActive = isActive();
        state = (state & (START_UNIT - 1)) | CLOSED;
        if (wasActive) disarm();
    }

    /**
     * Calls a late callback with the stored outcome of an event that has happened for good, or with an error if the
     * event has been disposed of. Synchronous.
     *
     * @param callback called at most once; need not be subscribed
     * @return false if there is nothing stored to replay
     */
    public boolean replay(EventCallback callback) {
        requireLoopThread();
        if (!isDisposed()) return false;
        deliver(callback, null, disposedError());
        return true;
    }

    /**
     * Closes the event and frees what it holds; a coroutine that still waits for it gets {@link #disposedError}.
     * Idempotent.
     */
    public final void dispose() {
        requireLoopThread();
        if ((state & DISPOSED) != 0) return;
        state |= DISPOSED;
        // During a notification the callbacks get its outcome instead of this error.
        boolean awaited = (state & (CLOSED | NOTIFYING)) == 0 && hasCallbacks();
        try {
            close();
        } finally {
            try {
                if (awaited) tell(null, disposedError());
            } finally {
                release();
            }
        }
    }

    /** True after {@link #dispose}. */
    public final boolean isDisposed() {
        return (state & DISPOSED) != 0;
    }

    /** Returns the error that waiters get when the event is disposed of. */
    protected RuntimeException disposedError() {
        return new AsyncException(info() + " has been disposed of");
    }

    /** Frees what the event holds; called once, by {@link #dispose}. */
    protected void release() {}

    // ---- about it

    /**
     * One line for people, never empty: what this is, and its state. Used in deadlock reports and in
     * {@code awaitingInfo}.
     */
    public abstract String info();

    /** True if the event, while active, neither keeps the run alive nor rules a deadlock out. */
    public final boolean isHidden() {
        return (state & HIDDEN) != 0;
    }

    /**
     * Hides the event or shows it. Only while it is not active, because it is counted as active when it is armed.
     *
     * @param hidden true to hide
     * @throws IllegalStateException if the event is active
     */
    public final void setHidden(boolean hidden) {
        if (isActive()) throw new IllegalStateException("stop '" + info() + "' before hiding or showing it");
        state = hidden ? state | HIDDEN : state & ~HIDDEN;
    }

    /** The hook that may change what the callbacks receive; null, the default, for none. */
    protected @Nullable NotifyHook notifyHook() {
        return null;
    }

    /**
     * Delivers an event's outcome to one callback that is not subscribed; for {@link #replay} in subclasses outside
     * this package.
     *
     * @param callback called with it
     * @param result the value, or null
     * @param error the error, or null
     */
    protected final void deliver(EventCallback callback, @Nullable Object result, @Nullable Throwable error) {
        callback.onEvent(this, result, error);
    }
}
