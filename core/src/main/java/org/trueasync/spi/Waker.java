package org.trueasync.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * Connects one coroutine to the events that it awaits. Every wait of this library consists of three steps:
 *
 * {@snippet class="org.trueasync.snippets.ExtensionsTest" region="wait" :
 * Waker waker = Waker.current(); // reset, ready for a new wait
 * waker.resumeWhen(event, ResumeCallback.RESOLVE); // prepared: nothing is armed yet
 * Object result = waker.await(); // arms all, suspends, disarms all
 * }
 *
 * <p>Loop thread only, except {@code coroutine}, {@code status} and {@code triggeredEvents}. There is one waker per
 * coroutine, reused for all its waits, so a wait allocates nothing in a steady state.
 */
public interface Waker {
    /**
     * Returns the waker of the running coroutine, reset for a new wait: subscriptions that were prepared but never
     * awaited are removed.
     *
     * @throws org.trueasync.AsyncException outside a coroutine, and in a switch handler or a microtask
     */
    static Waker current() {
        return SchedulerProvider.get().newWait();
    }

    /** The coroutine that this waker wakes. */
    Coroutine<?> coroutine();

    /** The waker's status. */
    WakerStatus status();

    /**
     * Prepares a subscription. The event is armed by {@link #await}, not before.
     *
     * @param event what to wait for
     * @param callback called when it fires
     * @throws IllegalStateException unless the coroutine runs and the waker is not in use
     * @throws org.trueasync.AsyncException if the event is a coroutine of another runtime
     */
    void resumeWhen(Event event, ResumeCallback callback);

    /**
     * Arms the prepared events and suspends until one of them wakes the coroutine. If one has happened already, the
     * coroutine does not suspend and no other coroutine runs. If none was prepared, this returns null at once. The
     * error with which the coroutine was woken is thrown as it is. When this returns or throws, no event has a
     * subscription of this wait any more.
     *
     * @return the value that the coroutine was woken with
     * @throws org.trueasync.AsyncCancellation if the coroutine was cancelled
     * @throws org.trueasync.AsyncException if the coroutine can't suspend: it is pinned by a native frame or a class
     *     initialiser, or the call comes from scheduler context
     */
    @Nullable
    Object await();

    /**
     * Wakes the coroutine with a result. If it is queued already, this does nothing.
     *
     * @param result what {@link #await} returns
     * @throws IllegalStateException if the coroutine does not wait
     */
    void wake(@Nullable Object result);

    /**
     * Wakes the coroutine with an error. If it is queued already with a result, the error replaces the result. If it is
     * queued already with an error, that error stays if the new one is a cancellation. Otherwise the new one replaces
     * it and gets it as its cause.
     *
     * @param error what {@link #await} throws
     * @throws IllegalStateException if the coroutine does not wait
     */
    void wakeWithError(Throwable error);

    /**
     * The events that fired in the wait that ended last, in the order of firing. Empty before the first wait, and as
     * soon as the coroutine begins to prepare its next one.
     */
    List<Event> triggeredEvents();
}
