package org.trueasync.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Awaitable;

/**
 * What a coroutine can wait for, and the only thing that a {@link Waker} knows about it.
 *
 * <p>Life: created &rarr; active (between the first {@link #start} and the last {@link #stop}) &rarr; fired, any number of times &rarr; closed,
 * for good. A one-shot event closes when it fires; a timer or a poll does not. Starting arms whatever feeds the event; an event that
 * needs no arming (a coroutine, a future) ignores both.
 *
 * <p>Loop thread only. A subclass fires with {@link #notifyCallbacks} and ends with {@link #close}.
 */
public abstract class Event implements Awaitable {
    private static final int CLOSED = 1;
    private static final int HIDDEN = 2;
    private static final int DISPOSED = 4;
    private static final int START_UNIT = 8;

    private @Nullable EventCallback first;
    private @Nullable EventCallback last;
    private @Nullable Round round;
    /** Flags in the low bits, the number of starts above them: an event is embedded in every coroutine, so it must be small. */
    private int state;

    /** An event that has not fired. */
    protected Event() {}

    // ---- subscribers

    /**
     * Adds a callback at the end of the list. It is called on every later notification, not on one that is under way.
     *
     * @param callback on no event at present
     * @throws IllegalStateException if it is subscribed already
     */
    public final void addCallback(EventCallback callback) {
        if (callback.event != null)
            throw new IllegalStateException("callback is subscribed already, to " + callback.event.info());
        callback.event = this;
        callback.previous = last;
        if (last == null) first = callback;
        else last.next = callback;
        last = callback;
    }

    /**
     * Removes a callback, also in the middle of a notification, where it is then not called any more.
     *
     * @param callback any callback
     * @return false if it was not subscribed to this event
     */
    public final boolean removeCallback(EventCallback callback) {
        if (callback.event != this) return false;
        for (Round r = round; r != null; r = r.outer) r.leaves(callback);
        if (callback.previous == null) first = callback.next;
        else callback.previous.next = callback.next;
        if (callback.next == null) last = callback.previous;
        else callback.next.previous = callback.previous;
        callback.event = null;
        callback.previous = null;
        callback.next = null;
        return true;
    }

    /** True if anything is subscribed. */
    public final boolean hasCallbacks() {
        return first != null;
    }

    /**
     * Tells every callback, in the order of subscription. Callbacks that leave before their turn are not called, those that come are not
     * called this time. What a callback throws is thrown here once all have been told.
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
        EventCallback only = first;
        if (only == null) return;
        if (only.next == null) only.onEvent(this, result, error);
        else notifyEach(result, error);
    }

    private void notifyEach(@Nullable Object result, @Nullable Throwable error) {
        Round current = new Round(Objects.requireNonNull(first), Objects.requireNonNull(last), round);
        round = current;
        Throwable thrown = null;
        EventCallback callback;
        while ((callback = current.take()) != null) {
            try {
                callback.onEvent(this, result, error);
            } catch (Throwable e) {
                // one bad callback must not cost the others their wake
                if (thrown == null) thrown = e;
                else thrown.addSuppressed(e);
            }
        }
        round = current.outer;
        if (thrown != null) Event.<RuntimeException>rethrow(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /*
     * One notification under way: the next callback to call and the last one that it concerns. Whoever leaves the list moves the two, so
     * that the round neither skips nor repeats nor reaches callbacks that came later. Rounds nest when a callback fires the same event.
     */
    private static final class Round {
        private @Nullable EventCallback next;
        private @Nullable EventCallback end;
        private final @Nullable Round outer;

        Round(EventCallback next, EventCallback end, @Nullable Round outer) {
            this.next = next;
            this.end = end;
            this.outer = outer;
        }

        @Nullable
        EventCallback take() {
            EventCallback taken = next;
            if (taken != null) next = taken == end ? null : taken.next;
            return taken;
        }

        void leaves(EventCallback callback) {
            if (callback == next) next = callback == end ? null : callback.next;
            else if (callback == end) end = callback.previous;
        }
    }

    // ---- arming

    /** Arms the event; calls are counted and the first one counts. Does nothing once the event is closed. */
    public void start() {
        if ((state & CLOSED) != 0) return;
        boolean wasActive = isActive();
        state += START_UNIT;
        if (wasActive) return;
        boolean armed = false;
        try {
            arm();
            armed = true;
        } finally {
            if (!armed) state -= START_UNIT;
        }
    }

    /** Takes one {@link #start} back; the last one disarms. A surplus call, or one after the event closed, does nothing. */
    public void stop() {
        if (!isActive()) return;
        state -= START_UNIT;
        if (!isActive()) disarm();
    }

    /** True between the first start and the last stop. */
    public final boolean isActive() {
        return state >= START_UNIT;
    }

    /** Makes the event happen from now on; called by the first {@link #start}. May close the event at once, or throw if it can't arm. */
    protected void arm() {}

    /** Stops the event from happening; called by the last {@link #stop}, and by {@link #close} if it was armed. */
    protected void disarm() {}

    // ---- end

    /** True once the event can't fire any more. */
    public final boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /** Disarms for good. Callbacks stay subscribed until they leave, so that a one-shot event may close and then notify. Idempotent. */
    protected final void close() {
        if (isClosed()) return;
        boolean wasActive = isActive();
        state = (state & (START_UNIT - 1)) | CLOSED;
        if (wasActive) disarm();
    }

    /**
     * For an event that has happened for good: hands its stored outcome to a late callback, synchronously.
     *
     * @param callback called at most once; need not be subscribed
     * @return false if there is nothing stored to replay
     */
    public boolean replay(EventCallback callback) {
        return false;
    }

    /** Closes the event and gives back what it holds. Idempotent. */
    public final void dispose() {
        if ((state & DISPOSED) != 0) return;
        state |= DISPOSED;
        close();
        release();
    }

    /** Gives back what the event holds; called once, by {@link #dispose}. */
    protected void release() {}

    // ---- about it

    /** One line, never empty, that tells a person what this is and in which state: for deadlock reports and {@code awaitingInfo}. */
    public abstract String info();

    /** True if it counts neither as something that keeps a run alive nor as something that could resolve a deadlock. */
    public final boolean isHidden() {
        return (state & HIDDEN) != 0;
    }

    /**
     * Hides the event or shows it; only while it is not active, as its visibility is counted when it is armed.
     *
     * @param hidden true to hide
     * @throws IllegalStateException if the event is active
     */
    public final void setHidden(boolean hidden) {
        if (isActive()) throw new IllegalStateException("stop '" + info() + "' before hiding or showing it");
        state = hidden ? state | HIDDEN : state & ~HIDDEN;
    }

    /** Changes what the callbacks receive; null, the default, for nothing. */
    protected @Nullable NotifyHook notifyHook() {
        return null;
    }

    /**
     * Delivers an event's outcome to one callback that is not subscribed; for {@link #replay} in subclasses outside this package.
     *
     * @param callback who gets it
     * @param result the value, or null
     * @param error the error, or null
     */
    protected final void deliver(EventCallback callback, @Nullable Object result, @Nullable Throwable error) {
        callback.onEvent(this, result, error);
    }
}
