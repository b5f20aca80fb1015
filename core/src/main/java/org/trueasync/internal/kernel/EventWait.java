package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.spi.WakerStatus;

/**
 * A coroutine's wait for events, and the waker by which other code prepares and ends it. It holds the subscriptions.
 * The coroutine keeps this object for its next wait for events, and this object keeps two subscriptions. So in a steady
 * state a wait allocates nothing.
 *
 * <p>It is an object of its own, not the coroutine: a handle's {@code await} waits for the coroutine's end, a waker's
 * for the events that were prepared, and one object can't have both.
 */
final class EventWait extends Subscription implements Wait, Waker, WaitForNode {
    private final WaitState waiting;

    /** The last subscription. The subscriptions form a ring: the next one of the last is the first. */
    private @Nullable Subscription last;

    /** At most two subscriptions without an event, for reuse. */
    private @Nullable Subscription spare = this;

    /** The events that have fired: null for none, the event itself if it is one, else a list. */
    private @Nullable Object triggered;

    private @Nullable WaitEnd companion;

    EventWait(WaitState waiting) {
        this.waiting = waiting;
    }

    // ---- the waker

    @Override
    public Coroutine<?> coroutine() {
        return waiting.coroutine();
    }

    @Override
    public WakerStatus status() {
        return waiting.status();
    }

    @Override
    public void resumeWhen(Event event, ResumeCallback callback) {
        waiting.resumeWhen(event, callback);
    }

    @Override
    public @Nullable Object await() {
        return waiting.awaitEvents();
    }

    @Override
    public void wake(@Nullable Object result) {
        waiting.wake(result);
    }

    @Override
    public void wakeWithError(Throwable error) {
        waiting.wakeWithError(error);
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Event> triggeredEvents() {
        Object fired = triggered;
        if (fired == null) return List.of();
        return fired instanceof Event one ? List.of(one) : List.copyOf((List<Event>) fired);
    }

    // ---- the subscriptions

    void add(Event event, ResumeCallback callback) {
        Subscription subscription = spare;
        if (subscription == null) subscription = new Subscription(this);
        else spare = subscription.next;
        Subscription tail = last;
        if (tail == null) {
            subscription.next = subscription;
        } else {
            subscription.next = tail.next;
            tail.next = subscription;
        }
        last = subscription;
        subscription.subscribe(event, callback);
    }

    boolean isEmpty() {
        return last == null;
    }

    /** The event that has fired, or else the first one; itself if it is neither. */
    Object awaited() {
        if (triggered instanceof Event fired) return fired;
        Subscription begin = first();
        Event event = begin == null ? null : begin.event();
        return event == null ? this : event;
    }

    private @Nullable Subscription first() {
        return last == null ? null : last.next;
    }

    /** See {@link WaitState#endsWithWait}. */
    boolean hasCompanion() {
        return companion != null;
    }

    void setCompanion(WaitEnd ending) {
        companion = ending;
    }

    /** Arms the events in the order of subscription. Arms no more of them once the wait has been ended by one. */
    @Override
    public void begin(CoroutineImpl<?> coroutine) {
        Subscription end = last;
        for (Subscription s = first(); s != null && waiting.isArming(); s = s == end ? null : s.next) {
            Event event = s.event();
            if (event == null) continue;
            if (event.isClosed()) {
                if (!event.replay(s)) wakeByClosed(event);
            } else {
                s.started = true;
                event.start();
            }
        }
    }

    private void wakeByClosed(Event event) {
        triggered(event);
        waiting.wake(null);
        // The text is made after the wake: info() may be user code, and such code may meet a lock. So may the
        // diagnostics, so a service coroutine writes the report.
        waiting.loop().report("Waited for a closed event that has nothing to replay: " + info(event));
    }

    /** Releases all subscriptions. */
    @Override
    public void end() {
        WaitEnd ending = companion;
        if (ending != null) {
            companion = null;
            ending.end();
        }
        Subscription end = last;
        if (end == null) return;
        last = null;
        Subscription begin = end.next;
        end.next = null;
        for (Subscription s = begin; s != null; ) {
            Subscription next = s.next;
            try {
                s.release();
            } catch (Throwable e) {
                // Disarming this event failed. The wake goes on, and the other subscriptions are released.
                waiting.loop().errors.unhandled(e);
            }
            // Two subscriptions are kept: one for an event and one for its token. If there were more, the garbage
            // collector gets the others.
            s.next = spare == null || spare.next == null ? spare : spare.next;
            spare = s;
            s = next;
        }
    }

    // ---- about it

    /** Notes that an event has fired. */
    @SuppressWarnings("unchecked")
    void triggered(Event event) {
        if (triggered == null) {
            triggered = event;
        } else if (triggered instanceof Event first) {
            var all = new ArrayList<Event>();
            all.add(first);
            all.add(event);
            triggered = all;
        } else {
            ((List<Event>) triggered).add(event);
        }
    }

    /** See {@link WaitState#noteTokenFired}. */
    void noteTokenFired(@Nullable Throwable error) {
        waiting.noteTokenFired(error);
    }

    void forgetTriggered() {
        if (triggered != null) triggered = null;
    }

    @Override
    public void describe(List<String> lines) {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.next)
            if (s.event() != null) lines.add(info(s.event()));
    }

    /** Returns the event's own text. If the event throws, the text says so: a report must not fail because of that. */
    private static String info(Event event) {
        try {
            String info = event.info(); // an extension's may be null, which no reader expects
            return info == null ? event.getClass().getName() : info;
        } catch (Throwable e) {
            return event.getClass().getName() + ", whose info() failed with " + Causes.text(e);
        }
    }

    /** See {@link WaitState#isHeldByWakers}. */
    boolean isHeldByWakers() {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.next)
            if (!HeldByWakers.is(s.event())) return false;
        return end != null;
    }

    /** See {@link HeldByWakers#isReachableAgain}. */
    void isReachableAgain() {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.next)
            if (s.event() instanceof HeldByWakers held) held.isReachableAgain();
    }

    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.next) {
            if (!(s.event() instanceof WaitForNode known) || !known.addProducers(by)) return false;
        }
        return true;
    }

    @Override
    public void addHolders(Collection<Long> ids) {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.next)
            if (s.event() instanceof WaitForNode known) known.addHolders(ids);
    }

    /** A coroutine that all of the events need. */
    @Override
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        Coroutine<?> needed = null;
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.next) {
            Coroutine<?> here = s.event() instanceof WaitForNode known ? known.needs(sought) : null;
            if (here == null || (needed != null && needed != here)) return null;
            needed = here;
        }
        return needed;
    }
}
