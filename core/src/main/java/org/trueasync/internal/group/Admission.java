package org.trueasync.internal.group;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Lets so many tasks into a group as may run and wait there; who brings one more waits outside, first come, first served. Those who belong to the group
 * never wait: room might come only when they have ended.
 *
 * <p>A wake only queues a coroutine, so the place that it was woken for is reserved until it has run: nobody else gets it meanwhile, and if it leaves instead, the
 * place goes to the next in line. A task is therefore in the group exactly if its spawn has returned.
 */
final class Admission {
    private final GroupCore group;
    /** So many tasks are let in; no limit if it is the greatest number. */
    private final int places;

    private final WaitQueue<Place> queue = new WaitQueue<>();
    /** Of those who have been served and have not run since. */
    private int reserved;

    Admission(GroupCore group, int places) {
        this.group = group;
        this.places = places;
    }

    private final class Place extends Waiter implements WaitForNode {
        Place() {
            super(queue);
        }

        /** Whoever called {@link #enter} grants it to the next. */
        @Override
        protected void handOn() {
            reserved--;
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
     * Waits until there is room for one more. The caller then adds its task, without a wait in between. If it does not, or if this throws, it calls
     * {@link #grant}: there may be room for somebody else.
     *
     * @param call who waits, for messages
     * @param token gives the wait up, or null
     */
    void enter(String call, @Nullable Completable<?> token) {
        if (places == Integer.MAX_VALUE || (queue.isEmpty() && hasRoom()) || group.isCalledFromInside()) return;
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        new Place().await(self, token);
        reserved--;
    }

    /** There may be room: wakes those for whom there is. */
    void grant() {
        for (Place place = queue.first(); place != null && hasRoom(); place = queue.first()) {
            reserved++;
            place.serve();
        }
    }

    /** Nobody gets in any more. */
    void close() {
        queue.refuseAll(() -> closed(group));
    }

    static AsyncException closed(GroupCore group) {
        return new AsyncException("can't spawn in a closed group: " + group + "; make another one");
    }
}
