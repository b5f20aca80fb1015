package org.trueasync.internal.await;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.WakerStatus;

/**
 * Takes the members of a {@link Gathering} from a source whose steps may suspend, in a coroutine of its own: the wait can end while a step is under
 * way. The helper belongs to the scope of whoever waits, and so does what the source spawns.
 */
final class Puller extends EventCallback {
    private final Loop loop;
    private final Gathering gathering;
    private final Iterable<?> source;
    private final CoroutineImpl<?> helper;

    /** Queues the helper. */
    Puller(Loop loop, Gathering gathering, Iterable<?> source) {
        this.loop = loop;
        this.gathering = gathering;
        this.source = source;
        this.helper = loop.spawn(this::pull);
        helper.addCallback(this);
        gathering.pulledBy(this);
    }

    private void pull() {
        if (!gathering.isActive()) return;
        Iterator<?> members = source.iterator();
        for (int i = 0; gathering.isActive() && members.hasNext(); i++) {
            Object member = members.next();
            if (!gathering.isActive()) return; // the wait may have ended during the step
            gathering.add(i, Awaiting.member(loop, member));
            loop.shareLoop();
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

    /**
     * The wait has ended, though the waiter has not had its turn yet. A step that waits is cancelled now, so that it takes nothing more: out of
     * a channel, for instance. One that JDK code has parked is left to {@link #stop}, as an interrupt may meet a lock.
     */
    void waitEnded() {
        WakerStatus status = helper.status();
        if (status == WakerStatus.WAITING || status == WakerStatus.QUEUED) stop();
    }

    /** The wait is over: a step that is under way is cancelled. What the source does then, and throws, is the helper's own affair. */
    void stop() {
        helper.removeCallback(this);
        helper.cancel(new AsyncCancellation("the wait that these members were for has ended"));
    }
}
