package org.trueasync.cluster;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.Section;
import org.trueasync.VoidSection;
import org.trueasync.internal.cluster.data.LockEnd;

/**
 * A lock that one coroutine of one member holds at a time. Members get it in the order in which they have asked, the
 * coroutines of a member in the order of their calls. A member that has waited in vain for a second may pass those in
 * front of it, as they may be lost. Not reentrant, like a {@link org.trueasync.Mutex}.
 *
 * <p>If the member that holds it dies, the next one gets it, as soon as the others have noticed: about a second after
 * its process has ended, after {@linkplain ClusterConfig.Builder#silence the silence} if it hangs or can't be reached.
 * A member that only seemed dead goes on with its section meanwhile; no lock can prevent that. Where that matters, hand
 * the {@link #fence} to what the lock protects, and let that refuse a fence lower than one that it has seen, and the
 * same one from another member.
 *
 * <p>Loop thread only, except {@code name}.
 */
public final class ClusterLock {
    private final LockEnd end;
    private final String name;

    ClusterLock(LockEnd end, String name) {
        this.end = end;
        this.name = name;
    }

    /**
     * Takes the lock; waits for earlier callers.
     *
     * @throws AsyncException if the calling coroutine holds it already: it would wait for itself
     * @throws ClusterException if this member has left the cluster
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled; the lock is then not taken
     */
    public void lock() {
        end.lock(null);
    }

    /**
     * As {@link #lock()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; the lock is then not taken
     */
    public void lock(Completable<?> cancellation) {
        end.lock(Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Takes the lock if it is free and has no waiter. It waits for the member that keeps the lock's state, but not for
     * another holder.
     *
     * @return true if it was taken
     * @throws ClusterException if this member has left the cluster
     */
    public boolean tryLock() {
        return end.tryLock();
    }

    /**
     * As {@link #lock()}; gives up after a time.
     *
     * @param limit > 0
     * @return false if the time is over; the lock is then not taken
     * @throws IllegalArgumentException if the limit is not positive
     */
    public boolean tryLock(Duration limit) {
        var token = Async.timeout(limit);
        try {
            end.lock(token);
            return true;
        } catch (OperationCanceledException e) {
            if (!token.isCompleted() || Async.currentCoroutine().isCancellationRequested()) throw e;
            return false;
        }
    }

    /**
     * Gives the lock back; the first waiter gets it next. Waits until the member that keeps the lock's state knows. A
     * pending cancellation does not prevent that; the next wait throws it.
     *
     * @throws ClusterException if the calling coroutine does not hold it; if it was lost meanwhile, because the others
     *     have taken this member for dead; or if this member has left the cluster
     */
    public void unlock() {
        end.unlock();
    }

    /**
     * Runs a section under the lock, and throws what it throws.
     *
     * @param section may wait
     * @return the section's value
     * @throws X what the section throws
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

    /**
     * As {@link #withLock(Section)}, for a {@code Callable}.
     *
     * @param section may wait
     * @return the section's value
     * @throws Exception what the section throws
     */
    public <T> T withLock(Callable<T> section) throws Exception {
        Objects.requireNonNull(section, "section");
        return withLock((Section<T, Exception>) section::call);
    }

    /**
     * As {@link #withLock(Section)}, for a {@code Body}.
     *
     * @param section may wait
     * @throws Throwable what the section throws
     */
    public void withLock(Body section) throws Throwable {
        Objects.requireNonNull(section, "section");
        withLock((VoidSection<Throwable>) section::run);
    }

    /**
     * Returns a number that is greater for each later holder of this lock. If the cluster has split, or a member goes
     * on that hung, each side counts on for itself: a number may be given on both.
     *
     * @throws ClusterException if the calling coroutine does not hold the lock
     */
    public long fence() {
        return end.fence();
    }

    /** True if the calling coroutine holds it, as far as this member knows; asks no other member. */
    public boolean isHeldByCurrent() {
        return end.isHeldByCurrent();
    }

    /** Returns its name, which is the same on all members. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return end.toString();
    }
}
