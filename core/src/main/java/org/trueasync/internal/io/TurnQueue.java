package org.trueasync.internal.io;

import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** Where coroutines wait for their turn at something that only one can do at a time. Served in the order of the calls. */
public final class TurnQueue {
    private final Loop loop;
    private final WaitQueue<Turn> waiting = new WaitQueue<>();
    /** Somebody's turn: from the call on where nobody else is in line. */
    private boolean taken;

    /**
     * With nobody in it.
     *
     * @param loop of the coroutines
     */
    public TurnQueue(Loop loop) {
        this.loop = loop;
    }

    /**
     * Waits behind whoever came earlier; {@link #next} must follow. The turn is taken before the loop is shared, so that the order is that of the
     * calls.
     *
     * @param what to wait for, for people
     * @param token gives the wait up, or null
     */
    public void take(String what, @Nullable Completable<?> token) {
        boolean othersTurn = loop.isOthersTurn();
        if (taken) {
            new Turn(what).await(Runtimes.currentCoroutine(what), token);
        } else {
            taken = true;
            if (othersTurn) loop.giveWay();
        }
    }

    /** True while it is somebody's turn. */
    public boolean isTaken() {
        return taken;
    }

    /** The turn is over; the next one's is reserved, so that nobody slips in before it runs. */
    public void next() {
        Turn next = waiting.first();
        taken = next != null;
        if (next != null) next.serve();
    }

    /**
     * Whoever waits now gets an error.
     *
     * @param error for each of them
     */
    public void fail(Throwable error) {
        waiting.refuseAll(() -> error);
    }

    private final class Turn extends IoWaiter {
        Turn(String what) {
            super(loop, waiting, what);
        }

        @Override
        protected void handOn() {
            next();
        }
    }
}
