package org.trueasync.internal.foreign;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Timers;
import org.trueasync.spi.Waker;
import org.trueasync.spi.WakerStatus;

/**
 * Waits for several descriptors and returns all that were ready in the same turn of the reactor: the first one does not
 * wake the coroutine, but queues a microtask that does.
 */
public final class Select implements ResumeCallback {
    private final Set<Event> ready = new HashSet<>();
    private boolean over;

    private Select() {}

    /** See {@link org.trueasync.spi.Poll#select}. */
    public static List<PollEvent> among(Collection<PollEvent> events, @Nullable Duration timeout, Timers timers) {
        if (timeout != null) TimeLimits.notNegative(timeout, "timeout");
        if (events.isEmpty()) return List.of();
        var select = new Select();
        Waker waker = Waker.current();
        for (PollEvent event : events) waker.resumeWhen(event, select);
        if (timeout != null) waker.resumeWhen(timers.oneShot(timeout), RESOLVE);
        try {
            waker.await();
        } finally {
            select.over = true;
        }
        return events.stream().filter(select.ready::contains).toList();
    }

    @Override
    public void onEvent(Waker waker, Event event, @Nullable Object result, @Nullable Throwable error) {
        if (error != null) {
            waker.wakeWithError(error);
            return;
        }
        if (ready.isEmpty()) Microtask.of(() -> wake(waker)).enqueue();
        ready.add(event);
    }

    /**
     * Wakes the coroutine, if it still waits here. A drain is bounded, so this may run when the coroutine waits for
     * something else already.
     */
    private void wake(Waker waker) {
        if (!over && waker.status() == WakerStatus.WAITING) waker.wake(null);
    }
}
