package org.trueasync.io;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.time.TimeLimits;

/**
 * Ticks at the multiples of a period, counted from its creation. However long the work between two ticks takes, and
 * however late one is, the next ones do not drift. Between two waits it is a number and nothing else: there is nothing
 * to close, and a tick for which nobody waits happens nowhere.
 *
 * <p>Loop thread only, except {@code toString}; for one coroutine at a time.
 */
public final class Interval {
    private final Loop loop;
    private final long period;
    private final long begin;
    /** The number of the last tick that was waited for. */
    private long ticks;

    private Interval(Loop loop, long period) {
        this.loop = loop;
        this.period = period;
        this.begin = loop.reactor().nanoTime();
    }

    /**
     * Creates an interval. Its first tick is one period from now.
     *
     * @param period > 0; cut to 73 years
     * @throws IllegalArgumentException if the period is not > 0
     * @throws AsyncException outside a runtime
     */
    public static Interval every(Duration period) {
        long nanos = TimeLimits.positive(period, "period").toNanos();
        Loop loop = Runtimes.here("Interval.every");
        loop.requireLoopThread("Interval.every");
        return new Interval(loop, nanos);
    }

    /**
     * Waits for the next tick. Ticks that have passed since the last one, because the work took too long, are missed:
     * they are not made up for, and the wait goes on to the next multiple of the period. A wait that was cancelled has
     * taken no tick.
     *
     * @return how many ticks were missed; 0 if the caller was in time
     * @throws AsyncCancellation if this coroutine was cancelled while it waited
     * @throws AsyncException outside a coroutine
     */
    public long await() {
        return await(null, "Interval.await");
    }

    /**
     * As {@link #await()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call
     */
    public long await(Completable<?> cancellation) {
        return await(Objects.requireNonNull(cancellation, "cancellation"), "Interval.await");
    }

    private long await(@Nullable Completable<?> token, String call) {
        loop.requireLoopThread(call);
        long elapsed = loop.reactor().nanoTime() - begin;
        long next = Math.max(ticks + 1, Math.ceilDiv(elapsed, period));
        var wait = Duration.ofNanos(next * period - elapsed);
        if (token == null) Async.delay(wait);
        else Async.delay(wait, token);
        long missed = next - ticks - 1;
        ticks = next;
        return missed;
    }

    @Override
    public String toString() {
        return "interval of " + Duration.ofNanos(period) + ", " + ticks + (ticks == 1 ? " tick" : " ticks");
    }
}
