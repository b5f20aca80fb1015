package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** One of the operations that a {@link Selection} chooses from. */
abstract class Arm implements ResumeCallback {
    boolean isAtChannel() {
        return false;
    }

    /** Does the operation if it need not wait. True if it took effect, also if it failed. */
    abstract boolean takesEffect();

    /** Subscribes the coroutine to the operation. */
    abstract void subscribe(CoroutineImpl<?> self);

    /** Wakes the coroutine when this arm fires, the first of all; {@link #isChosen} gives the outcome. */
    @Override
    public void onEvent(Waker waker, Event event, @Nullable Object result, @Nullable Throwable error) {
        waker.wake(null);
    }

    /**
     * Settles this arm after the wait. True if the wait ended with this operation; any other arm gives back what was
     * reserved for it.
     *
     * @param thrown the error of the wait, or null
     */
    abstract boolean isChosen(CoroutineImpl<?> self, @Nullable Throwable thrown);

    /** Called if no arm was chosen because the wait was abandoned. */
    void abandoned() {}

    /** Runs the user's code that belongs to the operation, or throws the operation's error. */
    abstract @Nullable Object runAction() throws Throwable;
}
