package org.trueasync;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.sync.Gate;

/**
 * Opens for good after a number of steps; coroutines wait until it is open. It is to coroutines what a
 * {@link java.util.concurrent.CountDownLatch} is to threads. Loop thread only, except {@code count}; for the coroutines
 * of one runtime.
 */
public final class Latch {
    private final @Nullable String name;
    private final Loop loop;
    private final Gate gate = new Gate(this::toString);
    private long count;

    /**
     * Creates a latch that is shut, or open if there are no steps.
     *
     * @param count the steps, >= 0
     * @throws IllegalArgumentException if the count is negative
     * @throws AsyncException outside a runtime
     */
    public Latch(long count) {
        this(count, null);
    }

    /**
     * As {@link #Latch(long)}, with a name that {@code toString} and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param count the steps, >= 0
     */
    public Latch(String name, long count) {
        this(count, Names.readable(name));
    }

    private Latch(long count, @Nullable String name) {
        if (count < 0) throw new IllegalArgumentException("count of a latch must be >= 0, got " + count);
        this.loop = Runtimes.here("new Latch");
        this.name = name;
        this.count = count;
        if (count == 0) gate.open(null);
    }

    /**
     * Counts one step; the last step opens the latch and queues the waiting coroutines. Does nothing once it is open.
     */
    public void countDown() {
        loop.requireLoopThread("Latch.countDown");
        if (count > 0 && --count == 0) gate.open(null);
    }

    /**
     * Waits until it is open. If it is open already, there is no switch.
     *
     * @throws AsyncCancellation if this coroutine was cancelled while it waited
     * @throws AsyncException outside a coroutine, if it is not open
     */
    public void await() {
        await(null, "Latch.await");
    }

    /**
     * As {@link #await()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, and the latch is not
     *     open
     */
    public void await(Completable<?> cancellation) {
        await(Objects.requireNonNull(cancellation, "cancellation"), "Latch.await");
    }

    private void await(@Nullable Completable<?> cancellation, String call) {
        loop.requireLoopThread(call);
        Awaiting.markUsed(cancellation);
        if (count > 0) gate.pass(cancellation, call);
    }

    /** Returns how many steps are left; 0 once it is open. */
    public long count() {
        return count;
    }

    @Override
    public String toString() {
        String what = Names.of("latch", name);
        return count == 0 ? what + ", open" : what + ", " + count + (count == 1 ? " step" : " steps") + " left";
    }
}
