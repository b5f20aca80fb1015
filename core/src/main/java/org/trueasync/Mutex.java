package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.sync.Permits;

/**
 * A lock for sections that wait. Between two waits no other coroutine runs, so plain state needs no lock. A section
 * needs one if it waits in the middle, and no other coroutine may enter it meanwhile.
 *
 * <p>The lock is given in the order of the calls; it is not reentrant. Loop thread only, except {@code isLocked} and
 * {@code waitingCount}; for the coroutines of one runtime.
 */
public final class Mutex {
    private final @Nullable String name;
    private final Permits permit = new Permits("Mutex", 1, 1, this::toString);

    /**
     * Creates a free mutex.
     *
     * @throws AsyncException outside a runtime
     */
    public Mutex() {
        name = null;
    }

    /**
     * Creates a free mutex, with a name that {@code toString} and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @throws AsyncException outside a runtime
     */
    public Mutex(String name) {
        this.name = Names.readable(name);
    }

    /**
     * Takes the lock, in the order of the calls.
     *
     * @throws AsyncException if the calling coroutine holds it already: it would wait for itself; or outside a
     *     coroutine
     * @throws AsyncCancellation if this coroutine was cancelled; the lock is then not taken
     */
    public void lock() {
        take(null);
    }

    /**
     * As {@link #lock()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if the lock is
     *     free; it is then not taken
     */
    public void lock(Completable<?> cancellation) {
        take(Objects.requireNonNull(cancellation, "cancellation"));
    }

    private void take(@Nullable Completable<?> cancellation) {
        Coroutine<?> self = permit.requireCurrent("Mutex.lock");
        if (permit.holder() == self)
            throw new AsyncException(
                    "coroutine " + FailureText.label(self) + " holds this mutex already; a mutex is not reentrant");
        permit.take(1, cancellation, "Mutex.lock");
        permit.held();
    }

    /**
     * Takes the lock if it is free and no coroutine waits for it.
     *
     * @return false if it was not taken, also if the calling coroutine holds it already
     * @throws AsyncException outside a coroutine
     */
    public boolean tryLock() {
        permit.requireCurrent("Mutex.tryLock");
        if (!permit.tryTake(1)) return false;
        permit.held();
        return true;
    }

    /**
     * Takes the lock, in the order of the calls, unless that takes too long.
     *
     * @param limit >= 0; zero does not wait
     * @return false if the time was over first, or if the limit is zero and {@link #tryLock()} would not take the lock
     * @throws AsyncException if the limit is not zero and the calling coroutine holds it already; or outside a
     *     coroutine
     * @throws AsyncCancellation if this coroutine was cancelled while it waited; the lock is then not taken
     * @throws IllegalArgumentException if the limit is negative
     */
    public boolean tryLock(Duration limit) {
        return Limits.within(limit, "Mutex.tryLock", this::tryLock, token -> {
            lock(token);
            return true;
        });
    }

    /**
     * Gives the lock back. If coroutines wait for it, it is reserved for the first of them from now on.
     *
     * @throws AsyncException if the calling coroutine does not hold it
     */
    public void unlock() {
        Coroutine<?> self = permit.requireCurrent("Mutex.unlock");
        if (permit.holder() != self)
            throw new AsyncException("coroutine " + FailureText.label(self) + " does not hold this mutex: " + this);
        permit.heldNoMore();
        permit.give(1);
    }

    /**
     * Runs a section under the lock. What it throws is thrown unchanged.
     *
     * @param section may wait
     * @return the section's value
     * @throws X what the section throws
     * @throws AsyncException if the calling coroutine holds the lock already; the section does not begin then
     * @throws AsyncCancellation if this coroutine was cancelled before it had the lock; the section does not begin then
     */
    public <T, X extends Exception> T withLock(Section<T, X> section) throws X {
        Objects.requireNonNull(section, "section");
        lock();
        try {
            return section.call();
        } finally {
            unlock();
        }
    }

    /**
     * As {@link #withLock(Section)}, for a section without a result.
     *
     * @param section may wait
     * @throws X what the section throws
     */
    public <X extends Throwable> void withLock(VoidSection<X> section) throws X {
        Objects.requireNonNull(section, "section");
        lock();
        try {
            section.run();
        } finally {
            unlock();
        }
    }

    /** True while a coroutine holds it, or it is reserved for a waiter that was woken. */
    public boolean isLocked() {
        return permit.free() == 0;
    }

    /** Returns how many coroutines wait for it. */
    public int waitingCount() {
        return permit.waiting();
    }

    @Override
    public String toString() {
        Coroutine<?> owner = permit.holder();
        return Names.of("mutex", name) + ", " + (owner != null ? "held by " + owner : isLocked() ? "promised" : "free");
    }
}
