package org.trueasync.internal.channel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Waker;

/** An arm for the end of something: of a completable, or of a time. */
final class EventArm extends Arm {
    private final Supplier<Event> source;
    private final Selection.Action action;
    private @Nullable Event event;
    private boolean fired;
    private @Nullable Object value;
    private @Nullable Throwable error;

    /**
     * Creates an arm.
     *
     * @param source supplies the event, anew for each choice
     * @param action gets the value
     */
    EventArm(Supplier<Event> source, Selection.Action action) {
        this.source = source;
        this.action = action;
    }

    @Override
    boolean takesEffect() {
        fired = false;
        Event ended = source.get();
        event = ended;
        if (!ended.isClosed()) return false;
        ended.replay(new EventCallback() {
            @Override
            protected void onEvent(Event replayed, @Nullable Object result, @Nullable Throwable failure) {
                note(result, failure);
                if (failure != null && replayed instanceof CoroutineImpl<?> coroutine) coroutine.markObserved();
            }
        });
        return fired;
    }

    @Override
    void abandoned() {
        if (event instanceof CoroutineImpl<?> coroutine) coroutine.undoNotNeeded();
        event = null;
    }

    private void note(@Nullable Object result, @Nullable Throwable failure) {
        fired = true;
        value = result;
        error = failure;
    }

    @Override
    void subscribe(CoroutineImpl<?> self) {
        if (event != null) self.resumeWhen(event, this);
    }

    @Override
    public void onEvent(Waker waker, Event ended, @Nullable Object result, @Nullable Throwable failure) {
        note(result, failure);
        // Wakes with the error, which then stays even if a cancellation comes later.
        if (failure != null) waker.wakeWithError(failure);
        else waker.wake(null);
    }

    @Override
    boolean isChosen(CoroutineImpl<?> self, @Nullable Throwable thrown) {
        return fired && (thrown == null || thrown == error);
    }

    @Override
    @Nullable
    Object runAction() throws Throwable {
        Object result = value;
        Throwable failure = error;
        value = null;
        error = null;
        if (failure != null) throw Throwing.sneaky(failure);
        return action.apply(result);
    }
}
