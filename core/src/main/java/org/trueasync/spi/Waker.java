package org.trueasync.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * Ties one coroutine to the events that it awaits. Every wait of this library is these three steps:
 *
 * {@snippet class="org.trueasync.snippets.ExtensionsTest" region="wait" :
 * Waker waker = Waker.current(); // reset, ready for a new wait
 * waker.resumeWhen(event, ResumeCallback.RESOLVE); // prepared: nothing is armed yet
 * Object result = waker.await(); // arms all, suspends, disarms all
 * }
 *
 * <p>Loop thread only, except {@code coroutine}, {@code status} and {@code triggeredEvents}. There is one waker per coroutine, reused for all its waits, so none of
 * this allocates in a steady state.
 */
public interface Waker {
    /**
     * The waker of the running coroutine, reset for a new wait: subscriptions that were prepared and never awaited are gone.
     *
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    static Waker current() {
        return SchedulerProvider.get().newWait();
    }

    /** The coroutine that this waker wakes. */
    Coroutine<?> coroutine();

    /** Where the waker is in its cycle. */
    WakerStatus status();

    /**
     * Prepares a subscription. The event is armed by {@link #await}, not before.
     *
     * @param event what to wait for
     * @param callback what to do when it fires
     * @throws IllegalStateException unless the coroutine runs and the waker is not in use
     */
    void resumeWhen(Event event, ResumeCallback callback);

    /**
     * Arms the prepared events and suspends until one of them wakes the coroutine. If one has happened already, the coroutine neither
     * suspends nor lets anyone else run. When this returns or throws, no subscription of the wait is left on any event.
     *
     * @return what it was woken with
     * @throws org.trueasync.AsyncCancellation if the coroutine was cancelled
     * @throws org.trueasync.AsyncException if the coroutine can't suspend: it is pinned by a native frame, or this is scheduler context
     */
    @Nullable
    Object await();

    /**
     * Wakes the coroutine with a result. While it is queued already, changes nothing.
     *
     * @param result what {@link #await} returns
     * @throws IllegalStateException if the coroutine does not wait
     */
    void wake(@Nullable Object result);

    /**
     * Wakes the coroutine with an error. While it is queued already: an earlier error stays when this is a cancellation, otherwise this one
     * replaces it and carries it as its cause.
     *
     * @param error what {@link #await} throws
     * @throws IllegalStateException if the coroutine does not wait
     */
    void wakeWithError(Throwable error);

    /** The events that fired in the wait that ended last, in the order of firing; empty before the first wait. */
    List<Event> triggeredEvents();
}
