package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.spi.WakerStatus;

/**
 * The part of a coroutine that waits. A superclass rather than an object of its own: embedded, it costs a suspended coroutine a few fields and
 * no allocation.
 *
 * <pre>
 *  NO_STATUS -> WAITING  await() suspends
 *  NO_STATUS -> QUEUED   suspend(): straight to the back of the run queue
 *  NO_STATUS -> RESULT   an event fired while the wait was being prepared or armed: no suspension at all
 *  WAITING   -> QUEUED   an event fired, or a cancellation came; all subscriptions of the wait are gone
 *  QUEUED    -> RESULT   switched in
 *  QUEUED    -> IGNORED  never started and condemned; the scheduler finalises it
 *  RESULT    -> NO_STATUS  the outcome was taken
 * </pre>
 *
 * Invariant: outside {@code NO_STATUS} (preparing) and {@code WAITING} there are no active subscriptions.
 */
abstract class EmbeddedWaker extends Event implements Waker {
    // The statuses; bytes, as a wait changes them several times and a reference store has its price. In the order of
    // WakerStatus.
    static final byte NO_STATUS = 0;
    static final byte WAITING = 1;
    static final byte QUEUED = 2;
    static final byte IGNORED = 3;
    static final byte RESULT = 4;
    private static final WakerStatus[] STATUSES = WakerStatus.values();

    final Scheduler scheduler;
    byte status;
    private boolean arming;
    private @Nullable Object result;
    private @Nullable Throwable error;
    /** The subscriptions of the wait as a ring, entered at its end: its next is the first. */
    private @Nullable Subscription last;

    private @Nullable Subscription spare;
    /** Null, the one event that fired, or a list of them. */
    private @Nullable Object triggered;

    EmbeddedWaker(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public abstract CoroutineImpl<?> coroutine();

    @Override
    public final WakerStatus status() {
        return STATUSES[status];
    }

    // ---- preparing

    /** Makes the waker ready for a new wait of the running coroutine, having made sure that it may wait here at all. */
    public final void newWait() {
        scheduler.requireMaySuspend(coroutine());
        reset();
    }

    /** Drops what was prepared and not awaited. */
    final void reset() {
        releaseAll();
        result = null;
        error = null;
        triggered = null;
        status = NO_STATUS;
    }

    @Override
    public final void resumeWhen(Event event, ResumeCallback callback) {
        if (status == RESULT && last == null && scheduler.current == this) return; // fired already while preparing
        if (status != NO_STATUS || scheduler.current != this) {
            throw new IllegalStateException(
                    "resumeWhen belongs to the running coroutine between Waker.current() and await(); status is "
                            + status());
        }
        if (event instanceof CoroutineImpl<?> awaited) {
            if (awaited.scheduler != scheduler)
                throw Misuse.foreignThread("a wait for coroutine #" + awaited.id(), awaited.scheduler);
            awaited.markObserved();
        }
        Subscription subscription = spare;
        if (subscription == null) subscription = new Subscription(this);
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

    // ---- waiting

    @Override
    public final @Nullable Object await() {
        CoroutineImpl<?> self = coroutine();
        scheduler.requireMaySuspend(self);
        boolean done = false;
        try {
            if (status == NO_STATUS && last != null) {
                self.throwPendingCancellation();
                status = WAITING;
                armAll();
                if (status == WAITING) scheduler.switchAway(self);
            }
            done = true;
        } finally {
            if (!done) reset();
        }
        return takeOutcome();
    }

    /** Goes to the back of the run queue and lets the others run. */
    final void yieldToQueue() {
        CoroutineImpl<?> self = coroutine();
        scheduler.requireMaySuspend(self);
        self.throwPendingCancellation();
        if (scheduler.ending.isOutOfPatience()) {
            status = WAITING;
            scheduler.switchAway(self);
            return;
        }
        if (scheduler.nothingElseIsReady()) return;
        if (last != null || triggered != null) reset();
        status = QUEUED;
        boolean done = false;
        try {
            scheduler.enqueueLast(self);
            scheduler.switchAway(self);
            done = true;
        } finally {
            if (!done) {
                scheduler.dequeue(self);
                reset();
            }
        }
        takeOutcome();
    }

    /** Arms the events in the order of subscription; stops as soon as one of them turns out to have happened. */
    private void armAll() {
        arming = true;
        try {
            Subscription end = last;
            for (Subscription s = first(); s != null && status == WAITING; s = s == end ? null : s.nextOfWaker) {
                Event event = s.target;
                if (event == null) continue;
                if (event.isClosed()) {
                    if (!event.replay(s)) {
                        scheduler.diagnostics.accept(
                                "Waited for a closed event that has nothing to replay: " + event.info());
                        triggered(event);
                        wake(null);
                    }
                } else {
                    s.started = true;
                    event.start();
                }
            }
        } finally {
            arming = false;
        }
    }

    private @Nullable Object takeOutcome() {
        Throwable thrown = error;
        Object value = result;
        result = null;
        error = null;
        status = NO_STATUS;
        if (thrown == null) return value;
        if (thrown instanceof AsyncCancellation) coroutine().cancellationDelivered(thrown);
        throw Throwing.sneaky(thrown);
    }

    // ---- waking

    @Override
    public final void wake(@Nullable Object value) {
        switch (status) {
            case WAITING -> {
                result = value;
                ready();
            }
            case NO_STATUS -> {
                requirePreparing();
                result = value;
                releaseAll();
                status = RESULT;
            }
            case RESULT ->
                throw new IllegalStateException(
                        "coroutine #" + coroutine().id() + " is not suspended; only a waiting coroutine can be woken");
            default -> {}
        }
    }

    @Override
    public final void wakeWithError(Throwable cause) {
        switch (status) {
            case WAITING -> {
                if (error != null && error != cause) cause.addSuppressed(error);
                error = cause;
                ready();
            }
            case NO_STATUS -> {
                requirePreparing();
                error = cause;
                releaseAll();
                status = RESULT;
            }
            case QUEUED -> mergeError(cause);
            case RESULT ->
                throw new IllegalStateException(
                        "coroutine #" + coroutine().id() + " is not suspended; only a waiting coroutine can be woken");
            default -> {}
        }
    }

    private void requirePreparing() {
        if (last == null)
            throw new IllegalStateException(
                    "coroutine #" + coroutine().id() + " is not suspended; only a waiting coroutine can be woken");
    }

    /** The first error stays against a later cancellation; a later error of another kind wins and keeps the former as its cause. */
    private void mergeError(Throwable later) {
        Throwable first = error;
        if (first == null) {
            error = later;
            result = null;
        } else if (!(later instanceof AsyncCancellation) && later != first) {
            if (isCausedBy(first, later)) later.addSuppressed(first);
            else Throwing.chained(later, first);
            error = later;
        }
    }

    private static boolean isCausedBy(Throwable error, Throwable cause) {
        for (Throwable t = error; t != null; t = t.getCause()) if (t == cause) return true;
        return false;
    }

    private void ready() {
        releaseAll();
        if (arming) {
            status = RESULT;
        } else {
            status = QUEUED;
            scheduler.enqueue(coroutine());
        }
    }

    /** Makes an error the outcome of the wait, whatever it was going to be: a forced cancellation. */
    final void overrideOutcome(Throwable cause) {
        if (status == QUEUED) {
            error = cause;
            result = null;
        } else {
            wakeWithError(cause);
        }
    }

    /** True if the wake that is pending will throw. */
    final boolean hasError() {
        return error != null;
    }

    /** True if the scheduler must end it instead of running it. */
    final boolean isCondemned() {
        return status == IGNORED;
    }

    /** Called when the scheduler has switched in. */
    final void switchedIn() {
        if (status == QUEUED) status = RESULT;
    }

    /** An error that a switch handler threw on the way out or in belongs to the coroutine. */
    final void addError(Throwable cause) {
        if (error == null) error = cause;
        else error.addSuppressed(cause);
    }

    private @Nullable Subscription first() {
        return last == null ? null : last.nextOfWaker;
    }

    private void releaseAll() {
        Subscription end = last;
        if (end == null) return;
        last = null;
        Subscription begin = end.nextOfWaker;
        end.nextOfWaker = null;
        for (Subscription s = begin; s != null; ) {
            Subscription next = s.nextOfWaker;
            s.release();
            // Two are kept, for the event and its token; the crowd of an aggregate wait is left to the garbage
            // collector.
            s.nextOfWaker = spare == null || spare.nextOfWaker == null ? spare : spare.nextOfWaker;
            spare = s;
            s = next;
        }
    }

    /** Forgets recycled objects of a coroutine that has ended. */
    final void clearWaker() {
        releaseAll();
        spare = null;
        triggered = null;
        result = null;
        error = null;
    }

    // ---- about the wait

    @SuppressWarnings("unchecked")
    final void triggered(Event event) {
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

    @Override
    @SuppressWarnings("unchecked")
    public final List<Event> triggeredEvents() {
        if (triggered == null) return List.of();
        return triggered instanceof Event one ? List.of(one) : List.copyOf((List<Event>) triggered);
    }

    final List<String> awaitedEvents() {
        var lines = new ArrayList<String>();
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.nextOfWaker)
            if (s.target != null) lines.add(s.target.info());
        return lines;
    }
}
