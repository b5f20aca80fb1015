package org.trueasync.internal.kernel;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.time.TimerEntry;

/**
 * A coroutine's wait for a time above 0, for {@code delay}. The timer wakes the coroutine directly, without an event
 * and a subscription, as a million sleepers are an ordinary load. Reused by every sleep of its coroutine.
 */
final class Sleep extends TimerEntry implements Wait {
    /** Null once the coroutine has ended: the heap may know this object for longer. */
    private @Nullable WaitState sleeper;

    private long nanos;

    Sleep(WaitState sleeper) {
        this.sleeper = sleeper;
    }

    /** Sets how long the next sleep takes. */
    Sleep of(long nanos) {
        this.nanos = nanos;
        return this;
    }

    @Override
    public void begin(CoroutineImpl<?> coroutine) {
        Loop loop = coroutine.loop();
        loop.timers.addIn(this, nanos);
        loop.agenda.activeEvents.increment();
    }

    @Override
    public void end() {
        if (!isArmed()) return;
        Loop loop = sleeper().loop();
        loop.timers.remove(this);
        loop.agenda.activeEvents.decrement();
    }

    void forget() {
        sleeper = null;
    }

    private WaitState sleeper() {
        return Objects.requireNonNull(sleeper);
    }

    @Override
    protected int readAhead() {
        return sleeper().status;
    }

    @Override
    protected void fire(long now) {
        sleeper().wake(null);
    }

    @Override
    public void describe(List<String> lines) {
        lines.add("timer " + nanos / 1_000_000 + " ms");
    }
}
