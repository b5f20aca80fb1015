package org.trueasync.internal.await;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** One of several things that are awaited together: what it is, under which key, and what came of it. */
final class Member extends EventCallback {
    private final Gathering gathering;
    final @Nullable Object key;
    private final Event target;
    private boolean started;
    private boolean ended;
    /** Its error is in our hands. */
    private boolean held;
    /** Its value. */
    @Nullable
    Object value;
    /** Why it failed, or null. */
    @Nullable
    Throwable error;
    /** The one that ended after this one. */
    @Nullable
    Member nextEnded;

    Member(Gathering gathering, @Nullable Object key, Event target) {
        this.gathering = gathering;
        this.key = key;
        this.target = target;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Takes the outcome of something that has ended; false if it is still to come. */
    boolean takeOutcome() {
        if (target instanceof StageEvent stage) stage.look();
        if (!target.isClosed()) return false;
        if (!target.replay(this)) onEvent(target, null, null);
        return true;
    }

    /** Waits for its end, unless it has ended by now. */
    void watch() {
        if (ended || takeOutcome()) return;
        target.addCallback(this);
        started = true;
        target.start();
    }

    /** Waits no longer. */
    void leave() {
        target.removeCallback(this);
        if (!started) return;
        started = false;
        target.stop();
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
        if (ended) return;
        ended = true;
        value = result;
        error = thrown;
        if (thrown != null && target instanceof CoroutineImpl<?> coroutine) held = coroutine.holdError();
        try {
            leave();
        } finally {
            gathering.ended(this);
        }
    }

    /** The waiter has been told of its error. */
    void delivered() {
        if (error != null && target instanceof CoroutineImpl<?> coroutine) coroutine.markObserved();
    }

    /** The wait was given up; the error is nobody's. */
    void notDelivered() {
        if (held && target instanceof CoroutineImpl<?> coroutine) coroutine.letGoOfError();
    }

    /** The wait has ended, and this has not. */
    void lost() {
        if (target instanceof CoroutineImpl<?> coroutine) coroutine.waitEndedWithoutIt();
    }

    boolean addProducers(Collection<Coroutine<?>> by) {
        return target instanceof WaitForNode known && known.addProducers(by);
    }

    String info() {
        return target.info();
    }
}
