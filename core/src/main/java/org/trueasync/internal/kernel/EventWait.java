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
 * A wait for events: the subscriptions that a coroutine has made for it. Its waker keeps it and uses it again, as it
 * does with the subscriptions: a wait in a steady state allocates nothing.
 */
final class EventWait implements Wait, WaitForNode {
    private final EmbeddedWaker waker;

    /** The last subscription of a ring: its next one is the first. */
    private @Nullable Subscription last;

    private @Nullable Subscription spare;

    /** Null, the one event that fired, or a list of them. */
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

    /** Arms the events in the order of subscription; stops as soon as one of them turns out to have happened. */
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
        // After the wake, as info() may be user code, which may meet a lock; and in the service, as the diagnostics may
        // be.
        waker.scheduler().report("Waited for a closed event that has nothing to replay: " + info(event));
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
                // an event whose disarm fails must stop neither this wake nor the release of the other subscriptions
                waker.scheduler().errors.unhandled(e);
            }
            // Two are kept, for the event and its token; the crowd of an aggregate wait is left to the garbage
            // collector.
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

    /** The event's own text; a report must not fail because that throws. */
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
}
