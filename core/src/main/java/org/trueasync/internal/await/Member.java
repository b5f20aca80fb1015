package org.trueasync.internal.await;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** One of several things that are awaited together: its event, its key, and its outcome. */
final class Member extends EventCallback {
    private final Gathering gathering;
    final @Nullable Object key;
    private final Event target;
    private boolean started;
    private boolean ended;
    /** True if the gathering holds the coroutine's error, to deliver it or give it back. */
    private boolean held;
    /** The value it ended with, or null. */
    @Nullable
    Object value;
    /** The error it ended with, or null. */
    @Nullable
    Throwable error;
    /** The member that ended next after this one. */
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

    /** Takes the outcome if the target has ended; false if it has not. */
    boolean takeOutcome() {
        if (target instanceof StageEvent stage) stage.takeOutcomeIfDone();
        if (!target.isClosed()) return false;
        if (!target.replay(this)) onEvent(target, null, null);
        return true;
    }

    /** Subscribes to the target's end, unless it has ended. */
    void watch() {
        if (ended || takeOutcome()) return;
        target.addCallback(this);
        started = true;
        target.start();
    }

    boolean isHeldByWakers() {
        return HeldByWakers.is(target);
    }

    void isReachableAgain() {
        if (target instanceof HeldByWakers held) held.isReachableAgain();
    }

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

    /** Notes that the waiter has got the error. */
    void delivered() {
        if (error != null && target instanceof CoroutineImpl<?> coroutine) coroutine.markObserved();
    }

    /** Gives the error back: the waiter has not got it. */
    void notDelivered() {
        if (held && target instanceof CoroutineImpl<?> coroutine) coroutine.releaseError();
    }

    /** Tells a coroutine that the wait for it has ended before it has. */
    void markNotNeeded() {
        if (target instanceof CoroutineImpl<?> coroutine) coroutine.markNotNeeded();
    }

    boolean addProducers(Collection<Coroutine<?>> by) {
        return target instanceof WaitForNode known && known.addProducers(by);
    }

    /** See {@link WaitForNode#needs}. */
    @Nullable
    Coroutine<?> needs(Coroutine<?> sought) {
        return target instanceof WaitForNode known ? known.needs(sought) : null;
    }

    String info() {
        return target.info();
    }
}
