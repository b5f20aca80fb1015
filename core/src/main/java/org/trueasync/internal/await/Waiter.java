package org.trueasync.internal.await;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Wait;
import org.trueasync.spi.Event;

/**
 * One coroutine's place in a {@link WaitQueue}: an event, for waits for several events, or a direct wait without an
 * event, by {@link CoroutineImpl#suspend}. If a direct wait throws, the caller hands on what the waiter was served
 * with.
 *
 * <pre>
 *  IDLE    -> WAITING   the coroutine suspends: it joins the queue
 *  WAITING -> SERVED    it owns what it waits for; its coroutine is queued to run
 *  WAITING -> REFUSED   it will not be served; its coroutine is queued to run
 *  WAITING -> IDLE      something else woke its coroutine; it has left the queue
 * </pre>
 *
 * From SERVED only the coroutine itself goes on, in its own turn: it takes what it was served with, or hands that on.
 */
public abstract class Waiter extends Event implements Wait {
    private static final byte IDLE = 0;
    private static final byte WAITING = 1;
    /** See {@link #leave}. */
    protected static final byte SERVED = 2;

    /** See {@link #leave}. */
    protected static final byte REFUSED = 3;

    private final WaitQueue<?> queue;
    private byte state;

    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    /** The coroutine, in a direct wait. */
    private @Nullable CoroutineImpl<?> coroutine;

    /**
     * Creates a waiter that does not wait yet.
     *
     * @param queue the queue that it will join
     */
    protected Waiter(WaitQueue<?> queue) {
        this.queue = queue;
    }

    /**
     * Suspends a coroutine until this waiter is served. If this throws, the coroutine has nothing: what it was served
     * with has been handed on.
     *
     * @param self the running coroutine
     * @param token gives the wait up, or null
     */
    public final void await(CoroutineImpl<?> self, @Nullable Completable<?> token) {
        try {
            Awaiting.until(self, this, token);
        } catch (Throwable e) {
            if (state == SERVED) handOn();
            throw e;
        }
    }

    /** As {@link #await}, as a direct wait. For a waiter that is not used again. */
    public final void awaitDirectly(CoroutineImpl<?> self) {
        try {
            self.suspend(this);
        } catch (Throwable e) {
            if (state == SERVED) handOn();
            throw e;
        }
    }

    /**
     * Called when it was served and its wait has thrown, see {@link #await}: gives what it was served with to the next
     * waiter, if there is one.
     */
    protected void handOn() {}

    /**
     * Called when it has left the queue unserved: the waiters behind it may not have to wait any more. Must not throw.
     */
    protected void left() {}

    /** Serves it: it owns what it waits for from now on, and its coroutine is queued. It must be in the queue. */
    public void serve() {
        leave(SERVED);
        wake(null);
    }

    /**
     * Refuses it: it will not be served, and its coroutine is queued. It must be in the queue.
     *
     * @param error what the wait throws; null to wake it without one
     */
    public void refuse(@Nullable Throwable error) {
        leave(REFUSED);
        wake(error);
    }

    /**
     * Leaves the queue; if its coroutine still waits, {@link #wake} must follow.
     *
     * @param newState its state from now on
     */
    protected final void leave(byte newState) {
        state = newState;
        queue.remove(this);
    }

    /**
     * Queues its coroutine.
     *
     * @param error what the wait throws; null to wake it without one
     */
    protected final void wake(@Nullable Throwable error) {
        CoroutineImpl<?> direct = coroutine;
        if (direct == null) notifyCallbacks(null, error);
        else if (error == null) direct.wake(null);
        else direct.wakeWithError(error);
    }

    public final boolean isServed() {
        return state == SERVED;
    }

    public final boolean isRefused() {
        return state == REFUSED;
    }

    public final boolean isWaiting() {
        return state == WAITING;
    }

    /** See {@link org.trueasync.internal.event.Lent#letGo}. */
    public final boolean letGo() {
        if (coroutine == null) return false;
        coroutine = null;
        return true;
    }

    /** See {@link org.trueasync.internal.event.Lent#hasAgain}. */
    public final void hasAgain(Coroutine<?> waiting) {
        if (coroutine != null) return;
        coroutine = (CoroutineImpl<?>) waiting;
        if (state != WAITING) coroutine.wake(null);
    }

    protected void clear() {
        state = IDLE;
        coroutine = null;
    }

    @Override
    public void begin(CoroutineImpl<?> direct) {
        coroutine = direct;
        arm();
    }

    @Override
    public void end() {
        disarm();
    }

    @Override
    public final void describe(List<String> lines) {
        lines.add(info());
    }

    @Override
    protected void arm() {
        state = WAITING;
        queue.add(this);
    }

    @Override
    protected void disarm() {
        if (state != WAITING) return;
        leave(IDLE);
        left();
    }
}
