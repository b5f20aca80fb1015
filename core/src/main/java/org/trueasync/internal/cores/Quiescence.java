package org.trueasync.internal.cores;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the moment from which nothing can happen any more on any of several loops: each is at rest, and no message is on its way.
 *
 * <p>Each loop counts what it sends and receives, for itself. It says when it is at rest, and says so before it takes notice of a message that it is not any more. The state has two
 * halves: how many are not at rest, and how often one has left its rest. So if nobody is at rest no more, and the second half is still the same when all counts have been read, no count has
 * changed meanwhile: only one that is not at rest changes its counts.
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

        /** A message goes out. Before it does. */
        void sends() {
            goOn();
            sent.lazySet(sent.getPlain() + 1);
        }

        /** A message has come. */
        void receives() {
            goOn();
            received.lazySet(received.getPlain() + 1);
        }

        /** It does something, or will. */
        void goOn() {
            if (!resting) return;
            resting = false;
            done = false;
            all.state.getAndAdd(ONE_AWAKE + ONE_LEFT_REST);
        }

        /**
         * It can only wait for messages.
         *
         * @param asDone true if it has nothing left to do, false if somebody there waits
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
    /** Messages to a loop that has gone: received in its place, and answered. */
    private final AtomicLong receivedForOthers = new AtomicLong();

    private final AtomicLong sentForOthers = new AtomicLong();

    /** Of so many loops, none of them at rest. */
    Quiescence(int count) {
        state = new AtomicLong(count);
        members = new Member[count];
        for (int i = 0; i < count; i++) members[i] = new Member(this);
    }

    Member member(int index) {
        return members[index];
    }

    /** A message is answered in place of a loop that has gone. Any thread. */
    void answersForOther() {
        // In this order: between the two, one more seems to be on its way, never one less.
        sentForOthers.incrementAndGet();
        receivedForOthers.incrementAndGet();
    }

    /** A message has reached nobody: whoever was to get it has gone. Any thread. */
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

    /** How many of them are done; for when nothing can happen any more. */
    int countDone() {
        int done = 0;
        for (Member member : members) if (member.isDone()) done++;
        return done;
    }
}
