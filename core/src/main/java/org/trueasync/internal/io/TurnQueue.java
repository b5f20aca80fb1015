package org.trueasync.internal.io;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.kernel.Loop;

/** Where coroutines wait for their turn at something that only one can do at a time. Served in the order of the calls. */
public final class TurnQueue {
    private final Loop loop;
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>(2);
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
            await(new Turn(what), token);
        } else {
            taken = true;
            if (othersTurn) loop.giveWay();
        }
    }

    private void await(Turn turn, @Nullable Completable<?> token) {
        boolean mine = false;
        try {
            turn.await(token);
            mine = true;
        } finally {
            if (!mine && turn.given) next();
        }
    }

    /** True while it is somebody's turn. */
    public boolean isTaken() {
        return taken;
    }

    /** The turn is over; the next one's is reserved, so that nobody slips in before it runs. */
    public void next() {
        Turn next = waiting.poll();
        taken = next != null;
        if (next != null) next.give();
    }

    /**
     * Whoever waits now gets an error.
     *
     * @param error for each of them
     */
    public void fail(Throwable error) {
        Turn turn;
        while ((turn = waiting.poll()) != null) turn.complete(error);
    }

    private final class Turn extends IoRequest {
        /** It has come: whoever was cancelled before running has it to pass on. */
        private boolean given;

        Turn(String what) {
            super(TurnQueue.this.loop, what);
        }

        void give() {
            given = true;
            complete(null);
        }

        @Override
        protected void armSource() {
            waiting.add(this);
        }

        @Override
        protected void disarmSource() {
            waiting.remove(this);
        }
    }
}
