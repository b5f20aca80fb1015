package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** One of the operations that a {@link Selection} chooses from. */
abstract class Arm implements ResumeCallback {
    /** True if it waits at a channel. */
    boolean isAtChannel() {
        return false;
    }

    /** Does the operation if it need not wait. True if it has taken effect, also by failing. */
    abstract boolean takesEffect();

    /** Prepares to wait. */
    abstract void join(CoroutineImpl<?> self);

    /** It has fired, the first of all: whatever came of it, {@link #isChosen} tells. */
    @Override
    public void onEvent(Waker waker, Event event, @Nullable Object result, @Nullable Throwable error) {
        waker.wake(null);
    }

    /**
     * The wait is over. True if this is what it has come to; everything else gives back what was reserved for it.
     *
     * @param thrown what the wait has thrown, or null
     */
    abstract boolean isChosen(CoroutineImpl<?> self, @Nullable Throwable thrown);

    /** Nothing has been chosen: the wait was given up. */
    void givenUp() {}

    /** What follows; the user's code, or the operation's error. */
    abstract @Nullable Object follow() throws Throwable;
}
