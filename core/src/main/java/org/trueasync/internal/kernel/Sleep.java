package org.trueasync.internal.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.time.TimerEntry;

/**
 * A coroutine's own alarm clock, for {@code delay}: it wakes the sleeper itself, without an event and a subscription between them, as a million
 * sleepers are an ordinary load. Used again by every sleep of its coroutine.
 */
final class Sleep extends TimerEntry {
    /** Null once the coroutine has ended: the heap may know this object for longer. */
    private @Nullable EmbeddedWaker sleeper;

    private long nanos;

    Sleep(EmbeddedWaker sleeper) {
        this.sleeper = sleeper;
    }

    private EmbeddedWaker sleeper() {
        return Objects.requireNonNull(sleeper);
    }

    void begin(long nanos) {
        Scheduler scheduler = sleeper().scheduler();
        this.nanos = nanos;
        scheduler.timers.addIn(this, nanos);
        scheduler.activeEvents.increment();
    }

    void end() {
        Scheduler scheduler = sleeper().scheduler();
        scheduler.timers.remove(this);
        scheduler.activeEvents.decrement();
    }

    void forget() {
        sleeper = null;
    }

    @Override
    protected int lookAt() {
        return sleeper().status;
    }

    @Override
    protected void fire(long now) {
        sleeper().wake(null);
    }

    String info() {
        return "timer " + nanos / 1_000_000 + " ms";
    }
}
