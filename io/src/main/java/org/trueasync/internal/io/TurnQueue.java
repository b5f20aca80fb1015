package org.trueasync.internal.io;

import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** Lets one coroutine at a time do something; the others wait for their turn, in the order of their calls. */
public final class TurnQueue {
    private final Loop loop;
    private final WaitQueue<Turn> waiting = new WaitQueue<>();
    /** True while a coroutine has the turn, or has been given it and has not run yet. */
    private boolean taken;

    /**
     * Makes an empty queue.
     *
     * @param loop of the coroutines
     */
    public TurnQueue(Loop loop) {
        this.loop = loop;
    }

    /**
     * Waits until all earlier callers have had their turn, and takes the turn; {@link #next} must follow. Where this
     * call lets other coroutines run, it has taken the turn before, so turns keep the order of the calls.
     *
     * @param what the caller waits for, for reports
     * @param token ends the wait, or null
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

    /** True while a coroutine has the turn. */
    public boolean isTaken() {
        return taken;
    }

    /**
     * Ends the turn and gives it to the first waiter at once, so no other coroutine can take it before that one runs.
     */
    public void next() {
        Turn next = waiting.first();
        taken = next != null;
        if (next != null) next.serve();
    }

    /**
     * Fails the waits of all coroutines that wait now.
     *
     * @param error what each of them throws
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
