package org.trueasync.internal.pool;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.DirectWait;
import org.trueasync.internal.kernel.WaitForNode;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;

/**
 * Somebody who waits at a pool, and his place in the line: an event, for waits that have a timeout or a token beside it, or what a coroutine waits for directly. The pool
 * uses it again.
 *
 * <pre>
 *  IDLE    -> WAITING   the coroutine suspends: it joins the line
 *  WAITING -> PROMISED  a resource, or the place of one, is his alone; his coroutine is queued
 *  WAITING -> REFUSED   the pool was closed or its breaker deactivated; his coroutine is queued
 *  WAITING -> IDLE      his coroutine was woken otherwise: he has left the line
 * </pre>
 */
final class PoolWaiter<R> extends Event implements DirectWait, WaitForNode {
    static final byte IDLE = 0;
    static final byte WAITING = 1;
    static final byte PROMISED = 2;
    static final byte REFUSED = 3;

    private final PoolCore<R> pool;
    private final PoolWaitQueue<R> line;
    byte state;
    /** What he was promised; null for a place to make one in. */
    @Nullable
    Slot<R> slot;

    @Nullable
    PoolWaiter<R> previous;

    @Nullable
    PoolWaiter<R> next;

    /** Who waits directly. */
    private @Nullable CoroutineImpl<?> coroutine;

    PoolWaiter(PoolCore<R> pool, PoolWaitQueue<R> line) {
        this.pool = pool;
        this.line = line;
    }

    /**
     * Waits until he is promised something, or sent away.
     *
     * @param nanos the limit, 0 for none
     * @param token gives the wait up, or null
     * @return what the wait has thrown, or null
     */
    @Nullable
    Throwable await(CoroutineImpl<?> self, long nanos, @Nullable Completable<?> token) {
        try {
            if (nanos == 0 && token == null) {
                coroutine = self;
                self.waitFor(this);
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
    public void begin() {
        state = WAITING;
        line.add(this);
    }

    @Override
    public void end() {
        if (state != WAITING) return;
        state = IDLE;
        line.remove(this);
    }

    @Override
    protected void arm() {
        begin();
    }

    @Override
    protected void disarm() {
        end();
    }

    /** His wait is over; he is the first in line. */
    void wake(byte how, @Nullable Slot<R> promised) {
        state = how;
        slot = promised;
        line.remove(this);
        if (coroutine != null) coroutine.wake(null);
        else notifyCallbacks(null, null);
    }

    /** As new. */
    void clear() {
        state = IDLE;
        slot = null;
        coroutine = null;
    }

    @Override
    public boolean addProducers(Collection<CoroutineImpl<?>> by) {
        return state == WAITING && pool.addTakers(by);
    }

    @Override
    public String info() {
        return "acquire from " + pool.info();
    }
}
