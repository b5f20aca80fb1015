package org.trueasync.internal.await;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * Takes the members of a {@link Gathering} from a source whose steps may suspend. It does so in a coroutine of its own,
 * so the wait can end during a step. This helper belongs to the scope of the waiter, and so does what the source
 * spawns.
 */
final class Puller extends EventCallback {
    private final Loop loop;
    private final Gathering gathering;
    private final Iterable<?> source;
    private final CoroutineImpl<?> helper;

    /** Creates the helper coroutine and queues it. */
    Puller(Loop loop, Gathering gathering, Iterable<?> source) {
        this.loop = loop;
        this.gathering = gathering;
        this.source = source;
        this.helper = loop.spawn(CoroutineKind.ORDINARY, null, Tasks.task((Body) this::pull));
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

    /** Completes the gathering when the helper ends, or fails it with the helper's error. */
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
     * Stops the helper as soon as the wait has ended, before the waiter resumes: so a step that waits takes nothing
     * more, from a channel for instance. A helper that JDK code has parked is left to {@link #stop}, because an
     * interrupt may meet a lock.
     */
    void waitEnded() {
        if (helper.isWaitingOrQueued()) stop();
    }

    /**
     * Cancels a step that is under way, because the wait is over. What the source does or throws after that concerns
     * only the helper.
     */
    void stop() {
        helper.removeCallback(this);
        helper.cancel(new AsyncCancellation("the wait that these members were for has ended"));
    }
}
