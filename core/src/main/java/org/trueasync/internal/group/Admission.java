package org.trueasync.internal.group;

import java.util.Collection;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Admits tasks to a group as long as there is a slot or a place in its queue. Further callers wait outside, first come,
 * first served. Callers that belong to the group never wait: there might be no room until they have ended.
 *
 * <p>A wake only queues a coroutine. So the place that it was woken for is reserved until it has run. If it leaves
 * instead, the place goes to the next one in the wait queue. A task is therefore in the group exactly if its spawn has
 * returned.
 */
final class Admission {
    private final GroupCore group;
    /** The number of tasks that may run and wait in the group; {@code MAX_VALUE} for no limit. */
    private final int places;

    private final WaitQueue<Place> queue = new WaitQueue<>();
    /** The number of places of coroutines that have been served and have not run since. */
    private int reserved;

    Admission(GroupCore group, int places) {
        this.group = group;
        this.places = places;
    }

    private final class Place extends Waiter implements WaitForNode, HeldByWakers {
        Place() {
            super(queue);
        }

        /** Frees the place; the caller of {@link #enter} then calls {@link #grant}. */
        @Override
        protected void handOn() {
            reserved--;
        }

        @Override
        public void isReachableAgain() {
            group.isReachableAgain();
        }

        @Override
        public boolean addProducers(Collection<Coroutine<?>> by) {
            return reserved == 0 && SettlingCoroutines.addOfAllBefore(group, Long.MAX_VALUE, by);
        }

        @Override
        public String info() {
            return "place in the queue of " + group;
        }
    }

    private boolean hasRoom() {
        return group.inside() + reserved < places;
    }

    /**
     * Waits until there is room for one more. The caller then adds its task, without a wait in between. If it does not,
     * or if this throws, it calls {@link #grant}, because there may be room for another caller.
     *
     * @param call the waiting call, for messages
     */
    void enter(String call) {
        if (places == Integer.MAX_VALUE || (queue.isEmpty() && hasRoom()) || group.isCalledFromInside()) return;
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        new Place().await(self, null);
        reserved--;
    }

    /** Wakes waiting callers while there is room. */
    void grant() {
        for (Place place = queue.first(); place != null && hasRoom(); place = queue.first()) {
            reserved++;
            place.serve();
        }
    }

    /** Refuses all waiting callers. */
    void close() {
        queue.refuseAll(() -> closed(group));
    }

    static AsyncException closed(GroupCore group) {
        return new AsyncException("can't spawn in a closed group: " + group + "; make another one");
    }
}
