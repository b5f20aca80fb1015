package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.sync.Permits;

/**
 * A number of permits: that many coroutines may do something at the same time. Permits are given in the order of the
 * calls: the first waiter waits until all permits that it wants are free, and no later one overtakes it.
 *
 * <p>A semaphore that begins with permits never has more: to give back what was not taken is an error. One that begins
 * with none counts signals: each {@code release} adds a permit, and {@code acquire} waits for one.
 *
 * <p>{@link #maxWaiting} makes it a limiter, which refuses calls when too many wait. Loop thread only, except
 * {@code availablePermits}, {@code waitingCount} and {@code refusedCount}; for the coroutines of one runtime.
 */
public final class Semaphore {
    private static final String ACQUIRE = "Semaphore.acquire";

    private final @Nullable String name;
    private final Permits permits;
    private final int total;

    /**
     * Creates a semaphore whose permits are all free.
     *
     * @param permits >= 0; with 0, only {@code release} makes permits
     * @throws IllegalArgumentException if it is negative
     * @throws AsyncException outside a runtime
     */
    public Semaphore(int permits) {
        this(permits, null);
    }

    /**
     * Creates a semaphore whose permits are all free, with a name that {@code toString} and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param permits >= 0; with 0, only {@code release} makes permits
     * @throws IllegalArgumentException if it is negative
     * @throws AsyncException outside a runtime
     */
    public Semaphore(String name, int permits) {
        this(permits, Names.readable(name));
    }

    private Semaphore(int permits, @Nullable String name) {
        if (permits < 0) throw new IllegalArgumentException("permits of a semaphore must be >= 0, got " + permits);
        this.name = name;
        this.total = permits == 0 ? Integer.MAX_VALUE : permits;
        this.permits = new Permits("Semaphore", total, permits, this::toString);
    }

    /**
     * Bounds how many may wait. While that many wait, a call that would have to wait is refused: {@code acquire} and
     * {@code withPermit} throw a {@link ServiceUnavailableException} at once, {@code tryAcquire} with a limit returns
     * false. Those that wait already are not affected. At first there is no bound.
     *
     * @param most >= 0; with 0 nobody waits
     * @return this semaphore
     * @throws IllegalArgumentException if it is negative
     */
    public Semaphore maxWaiting(int most) {
        if (most < 0) throw new IllegalArgumentException("maxWaiting must be >= 0, got " + most);
        permits.requireHere("Semaphore.maxWaiting");
        permits.maxWaiting(most);
        return this;
    }

    /**
     * Takes one permit, in the order of the calls.
     *
     * @throws AsyncCancellation if this coroutine was cancelled; no permit is then taken
     * @throws ServiceUnavailableException if too many wait already, see {@link #maxWaiting}; no permit is then taken
     */
    public void acquire() {
        requireAdmitted(permits.take(1, null, ACQUIRE));
    }

    /**
     * As {@link #acquire()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if a permit is
     *     free; no permit is then taken
     */
    public void acquire(Completable<?> cancellation) {
        requireAdmitted(permits.take(1, Objects.requireNonNull(cancellation, "cancellation"), ACQUIRE));
    }

    /**
     * Takes several permits, all together, in the order of the calls.
     *
     * @param count 1 to the number of all permits; any if it began with none
     * @throws IllegalArgumentException if the count is out of range
     * @throws AsyncCancellation if this coroutine was cancelled; no permit is then taken
     */
    public void acquire(int count) {
        requireAdmitted(permits.take(required(count), null, ACQUIRE));
    }

    /**
     * As {@link #acquire(int)}; gives up when the token ends.
     *
     * @param count 1 to the number of all permits; any if it began with none
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if the permits
     *     are free; no permit is then taken
     */
    public void acquire(int count, Completable<?> cancellation) {
        requireAdmitted(permits.take(required(count), Objects.requireNonNull(cancellation, "cancellation"), ACQUIRE));
    }

    /** Called after the wait, and not around it: a suspended stack has no frame for it. */
    private void requireAdmitted(boolean taken) {
        if (taken) return;
        throw new ServiceUnavailableException(
                "refused, as " + waitingCount() + " wait already, and maxWaiting is " + permits.maxWaiting() + ": "
                        + this,
                null);
    }

    /** Takes one permit if one is free and no coroutine waits. */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Takes several permits if they are free and no coroutine waits.
     *
     * @param count 1 to the number of all permits; any if it began with none
     * @throws IllegalArgumentException if the count is out of range
     */
    public boolean tryAcquire(int count) {
        permits.requireHere("Semaphore.tryAcquire");
        return permits.tryTake(required(count));
    }

    /**
     * Takes one permit, in the order of the calls, unless that takes too long.
     *
     * @param limit >= 0; zero does not wait
     * @return false if the time was over first, if the limit is zero and this would have to wait, or if too many wait
     *     already; no permit is then taken
     * @throws AsyncCancellation if this coroutine was cancelled while it waited; no permit is then taken
     * @throws IllegalArgumentException if the limit is negative
     */
    public boolean tryAcquire(Duration limit) {
        return tryAcquire(1, limit);
    }

    /**
     * Takes several permits, all together, in the order of the calls, unless that takes too long.
     *
     * @param count 1 to the number of all permits; any if it began with none
     * @param limit >= 0; zero does not wait
     * @return false if the time was over first, if the limit is zero and this would have to wait, or if too many wait
     *     already; no permit is then taken
     * @throws AsyncCancellation if this coroutine was cancelled while it waited; no permit is then taken
     * @throws IllegalArgumentException if the limit is negative, or the count out of range
     */
    public boolean tryAcquire(int count, Duration limit) {
        String call = "Semaphore.tryAcquire";
        required(count);
        return Limits.within(limit, call, () -> tryAcquire(count), token -> permits.take(count, token, call));
    }

    /**
     * Gives one permit back; any coroutine may do so for the one that took it. Adds one if the semaphore began with
     * none.
     *
     * @throws AsyncException if none is held: one was released twice
     */
    public void release() {
        release(1);
    }

    /**
     * Gives several permits back; adds them if the semaphore began with none.
     *
     * @param count 1 to the number of permits that are held
     * @throws AsyncException if fewer are held: some were released twice
     * @throws IllegalArgumentException if the count is below 1 or above the number of all permits
     */
    public void release(int count) {
        permits.requireHere("Semaphore.release");
        permits.give(required(count));
    }

    private int required(int count) {
        if (count < 1 || count > total)
            throw new IllegalArgumentException("count must be "
                    + (isCountOfSignals() ? ">= 1" : "1 to " + total + ", all permits") + ", got " + count);
        return count;
    }

    /** True if it began with no permits: then it may have any number of them. */
    private boolean isCountOfSignals() {
        return total == Integer.MAX_VALUE;
    }

    /**
     * Runs a section with one permit. What it throws is thrown unchanged.
     *
     * @param section may wait
     * @return the section's value
     * @throws X what the section throws
     * @throws ServiceUnavailableException if too many wait already, see {@link #maxWaiting}; the section is not begun
     */
    public <T, X extends Exception> T withPermit(Section<T, X> section) throws X {
        Objects.requireNonNull(section, "section");
        acquire();
        try {
            permits.held();
            return section.call();
        } finally {
            permits.heldNoMore();
            release();
        }
    }

    /**
     * As {@link #withPermit(Section)}, for a section without a result.
     *
     * @param section may wait
     * @throws X what the section throws
     */
    public <X extends Throwable> void withPermit(VoidSection<X> section) throws X {
        Objects.requireNonNull(section, "section");
        acquire();
        try {
            permits.held();
            section.run();
        } finally {
            permits.heldNoMore();
            release();
        }
    }

    /** Returns how many permits are free; those reserved for a waiter that was woken are not. */
    public int availablePermits() {
        return permits.free();
    }

    /** Returns how many coroutines wait. */
    public int waitingCount() {
        return permits.waiting();
    }

    /** Returns how many calls were refused so far, see {@link #maxWaiting}. */
    public long refusedCount() {
        return permits.refused();
    }

    @Override
    public String toString() {
        return Names.of("semaphore", name) + ", " + availablePermits() + (isCountOfSignals() ? "" : " of " + total)
                + " permits free, " + waitingCount() + " waiting";
    }
}
