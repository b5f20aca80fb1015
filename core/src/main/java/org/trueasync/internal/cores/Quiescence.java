package org.trueasync.internal.cores;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the moment from which nothing can happen any more on any of several loops: each is at rest, and no message is
 * on its way.
 *
 * <p>Each loop counts for itself what it sends and receives. It says when it is at rest. Before it handles a message it
 * says that it is at rest no longer. The state has two halves: how many loops are not at rest, and how often a loop has
 * left its rest. Only a loop that is not at rest changes its counts. So if all are at rest, and the second half is the
 * same before and after all counts have been read, no count has changed meanwhile.
 */
final class Quiescence {
    /** One loop's part. All calls on its thread, but for {@link #isDone} and the counts' values. */
    static final class Member {
        private final Quiescence all;
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong received = new AtomicLong();
        private volatile boolean done;
        private boolean resting;

        private Member(Quiescence all) {
            this.all = all;
        }

        /** To be called before a message is sent. */
        void sends() {
            goOn();
            sent.lazySet(sent.getPlain() + 1);
        }

        /** Counts a message that has come. */
        void receives() {
            goOn();
            received.lazySet(received.getPlain() + 1);
        }

        /** Notes that the loop is no longer at rest. */
        void goOn() {
            if (!resting) return;
            resting = false;
            done = false;
            all.state.getAndAdd(ONE_AWAKE + ONE_LEFT_REST);
        }

        /**
         * Notes that the loop can only wait for messages.
         *
         * @param asDone true if it has nothing left to do, false if coroutines wait there
         * @return true if nothing can happen any more anywhere
         */
        boolean rest(boolean asDone) {
            goOn();
            done = asDone;
            resting = true;
            all.state.getAndAdd(-ONE_AWAKE);
            return all.isReached();
        }

        boolean isResting() {
            return resting;
        }

        /** True while it is at rest with nothing left to do. Any thread. */
        boolean isDone() {
            return done;
        }
    }

    private static final long ONE_AWAKE = 1;
    private static final long ONE_LEFT_REST = 1L << 32;
    private static final long AWAKE = ONE_LEFT_REST - 1;

    private final AtomicLong state;
    private final Member[] members;
    /** Messages to loops that have ended, which other threads have received in their place. */
    private final AtomicLong receivedForOthers = new AtomicLong();

    /** Answers that other threads have sent in the place of loops that have ended. */
    private final AtomicLong sentForOthers = new AtomicLong();

    /** Creates the state of this many loops, none of them at rest. */
    Quiescence(int count) {
        state = new AtomicLong(count);
        members = new Member[count];
        for (int i = 0; i < count; i++) members[i] = new Member(this);
    }

    Member member(int index) {
        return members[index];
    }

    /** Counts a message to a loop that has ended, and the answer that is sent in its place. Any thread. */
    void answersForOther() {
        // In this order: between the two, one more seems to be on its way, never one less.
        sentForOthers.incrementAndGet();
        receivedForOthers.incrementAndGet();
    }

    /** Counts a message that was dropped, because the loop that it was sent to has ended. Any thread. */
    void lost() {
        receivedForOthers.incrementAndGet();
    }

    private boolean isReached() {
        long before = state.get();
        if ((before & AWAKE) != 0) return false;
        long onTheWay = sentForOthers.get() - receivedForOthers.get();
        for (Member member : members) onTheWay += member.sent.get() - member.received.get();
        return onTheWay == 0 && state.get() == before;
    }

    /** How many loops are done. For the moment from which nothing can happen any more. */
    int countDone() {
        int done = 0;
        for (Member member : members) if (member.isDone()) done++;
        return done;
    }
}
