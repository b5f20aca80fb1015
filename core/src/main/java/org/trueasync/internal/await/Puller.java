package org.trueasync.internal.await;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * Takes the members of a {@link Gathering} from a source whose steps may suspend, in a coroutine of its own: the wait can end while a step is under
 * way. The helper belongs to the scope of whoever waits, and so does what the source spawns.
 */
final class Puller extends EventCallback {
    private final Scheduler scheduler;
    private final Gathering gathering;
    private final Iterable<?> source;
    private final CoroutineImpl<?> helper;

    /** Queues the helper. */
    Puller(Scheduler scheduler, Gathering gathering, Iterable<?> source) {
        this.scheduler = scheduler;
        this.gathering = gathering;
        this.source = source;
        this.helper = scheduler.spawn(this::pull);
        helper.addCallback(this);
    }

    private void pull() {
        Iterator<?> members = source.iterator();
        for (int i = 0; members.hasNext() && gathering.isActive(); i++) {
            Object member = members.next();
            if (!gathering.isActive()) return; // the wait may end during any step
            gathering.add(i, Awaiting.member(scheduler, member));
            if (!gathering.isActive()) return;
            scheduler.shareLoop();
        }
    }

    /** The helper has ended, whatever ended it. */
    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
        if (error == null) {
            gathering.complete();
            return;
        }
        helper.markObserved();
        gathering.abort(error);
    }

    /** The wait is over: a step that is under way is cancelled. What the source does then, and throws, is the helper's own affair. */
    void stop() {
        helper.removeCallback(this);
        helper.cancel(new AsyncCancellation("the wait that these members were for has ended"));
    }
}
