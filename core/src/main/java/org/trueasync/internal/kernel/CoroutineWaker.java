package org.trueasync.internal.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.spi.WakerStatus;

/**
 * A coroutine's waker as {@link Waker#current} returns it. The coroutine is the waker of its own waits, but this is an
 * object of its own: a handle's {@code await} waits for the coroutine's end, a waker's for the events that were
 * prepared, and one object can't have both.
 */
final class CoroutineWaker implements Waker {
    private final EmbeddedWaker waker;

    CoroutineWaker(EmbeddedWaker waker) {
        this.waker = waker;
    }

    @Override
    public Coroutine<?> coroutine() {
        return waker.coroutine();
    }

    @Override
    public WakerStatus status() {
        return waker.status();
    }

    @Override
    public void resumeWhen(Event event, ResumeCallback callback) {
        waker.resumeWhen(event, callback);
    }

    @Override
    public @Nullable Object await() {
        return waker.awaitEvents();
    }

    @Override
    public void wake(@Nullable Object result) {
        waker.wake(result);
    }

    @Override
    public void wakeWithError(Throwable error) {
        waker.wakeWithError(error);
    }

    @Override
    public List<Event> triggeredEvents() {
        return waker.triggeredEvents();
    }
}
