package org.trueasync.internal.pool;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.event.Lent;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.spi.ResumeCallback;

/**
 * One coroutine's place in the queue of a pool, and what it was promised there: a resource, or an empty permit. The
 * pool reuses it.
 */
final class PoolWaiter<R> extends Waiter implements Lent {
    private final PoolCore<R> pool;
    /** The resource that is reserved for it; null for an empty permit. */
    @Nullable
    Slot<R> slot;

    PoolWaiter(PoolCore<R> pool, WaitQueue<PoolWaiter<R>> queue) {
        super(queue);
        this.pool = pool;
    }

    /**
     * Waits until it is promised something or refused.
     *
     * @param nanos the limit in nanoseconds, 0 for none
     * @param token gives the wait up, or null
     * @return the error of the wait; null if it was promised something or refused
     */
    @Nullable
    Throwable await(CoroutineImpl<?> self, long nanos, @Nullable Completable<?> token) {
        try {
            if (nanos == 0 && token == null) {
                self.suspend(this);
                return null;
            }
            self.newWait();
            self.resumeWhen(this, ResumeCallback.RESOLVE);
            if (token != null) self.resumeWhen(Awaiting.event(token), ResumeCallback.CANCEL);
            if (nanos > 0) {
                Duration limit = Duration.ofNanos(nanos);
                self.resumeWhen(
                        pool.loop.timers().oneShot(limit),
                        (waker, timer, result, error) -> waker.wakeWithError(new AcquireTimeout(limit, pool.info())));
            }
            self.awaitEvents();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    @Override
    protected void clear() {
        super.clear();
        slot = null;
    }

    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return isWaiting() && pool.addTakers(by);
    }

    @Override
    public boolean othersMayGiveBack() {
        return true;
    }

    @Override
    public void addHolders(Collection<Long> ids) {
        if (isWaiting()) pool.store.addHolders(ids);
    }

    @Override
    public String info() {
        return "acquire from " + pool.info();
    }
}
