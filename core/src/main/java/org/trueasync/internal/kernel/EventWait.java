package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;

/**
 * A wait for events. It holds the subscriptions of one coroutine. The waker keeps this object for its next wait, and
 * this object keeps two subscriptions. So in a steady state a wait allocates nothing.
 */
final class EventWait implements Wait, WaitForNode {
    private final EmbeddedWaker waker;

    /** The last subscription. The subscriptions form a ring: the next one of the last is the first. */
    private @Nullable Subscription last;

    /** At most two subscriptions without an event, for reuse. */
    private @Nullable Subscription spare;

    /** The events that have fired: null for none, the event itself if it is one, else a list. */
    private @Nullable Object triggered;

    private @Nullable WaitEnd companion;

    EventWait(EmbeddedWaker waker) {
        this.waker = waker;
    }

    void add(Event event, ResumeCallback callback) {
        Subscription subscription = spare;
        if (subscription == null) subscription = new Subscription(waker);
        else spare = subscription.nextOfWaker;
        Subscription tail = last;
        if (tail == null) {
            subscription.nextOfWaker = subscription;
        } else {
            subscription.nextOfWaker = tail.nextOfWaker;
            tail.nextOfWaker = subscription;
        }
        last = subscription;
        subscription.subscribe(event, callback);
    }

    boolean isEmpty() {
        return last == null;
    }

    private @Nullable Subscription first() {
        return last == null ? null : last.nextOfWaker;
    }

    /** See {@link EmbeddedWaker#endsWithWait}. */
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
        for (Subscription s = first(); s != null && waker.isArming(); s = s == end ? null : s.nextOfWaker) {
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
        waker.wake(null);
        // The text is made after the wake: info() may be user code, and such code may meet a lock. So may the
        // diagnostics, so a service coroutine writes the report.
        waker.loop().report("Waited for a closed event that has nothing to replay: " + info(event));
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
        Subscription begin = end.nextOfWaker;
        end.nextOfWaker = null;
        for (Subscription s = begin; s != null; ) {
            Subscription next = s.nextOfWaker;
            try {
                s.release();
            } catch (Throwable e) {
                // Disarming this event failed. The wake goes on, and the other subscriptions are released.
                waker.loop().errors.unhandled(e);
            }
            // Two subscriptions are kept: one for an event and one for its token. If there were more, the garbage
            // collector gets the others.
            s.nextOfWaker = spare == null || spare.nextOfWaker == null ? spare : spare.nextOfWaker;
            spare = s;
            s = next;
        }
    }

    // ---- about it

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

    @SuppressWarnings("unchecked")
    List<Event> triggeredEvents() {
        if (triggered == null) return List.of();
        return triggered instanceof Event one ? List.of(one) : List.copyOf((List<Event>) triggered);
    }

    void forgetTriggered() {
        if (triggered != null) triggered = null;
    }

    @Override
    public void describe(List<String> lines) {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.nextOfWaker)
            if (s.event() != null) lines.add(info(s.event()));
    }

    /** Returns the event's own text. If the event throws, the text says so: a report must not fail because of that. */
    private static String info(Event event) {
        try {
            return event.info();
        } catch (Throwable e) {
            return event.getClass().getName() + ", whose info() failed with " + Causes.text(e);
        }
    }

    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.nextOfWaker) {
            if (!(s.event() instanceof WaitForNode known) || !known.addProducers(by)) return false;
        }
        return true;
    }

    /** A coroutine that all of the events need. */
    @Override
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        Coroutine<?> needed = null;
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.nextOfWaker) {
            Coroutine<?> here = s.event() instanceof WaitForNode known ? known.needs(sought) : null;
            if (here == null || (needed != null && needed != here)) return null;
            needed = here;
        }
        return needed;
    }
}
