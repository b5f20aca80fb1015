package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
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
    /** WAITING, while the events are being armed: what fires now needs no switch. */
    private static final byte ARMING = 5;

    private static final WakerStatus[] STATUSES = {
        WakerStatus.NO_STATUS,
        WakerStatus.WAITING,
        WakerStatus.QUEUED,
        WakerStatus.IGNORED,
        WakerStatus.RESULT,
        WakerStatus.WAITING
    };

    private static final byte VALUE = 0;
    private static final byte ERROR = 1;
    private static final byte GIVEN_UP = 2;

    byte status;
    /** The outcome is a value, an error to throw, or an error that was made for this wait where its token fired. */
    private byte kind;

    private @Nullable Object outcome;
    /** The subscriptions of the wait as a ring, entered at its end: its next is the first. */
    private @Nullable Subscription last;

    private @Nullable Subscription spare;
    /** Null, the one event that fired, or a list of them. */
    private @Nullable Object triggered;

    private @Nullable Sleep sleep;
    /** What is waited for without an event; or else what ends with the wait, see {@link #endsWithWait}. */
    private @Nullable WaitEnd direct;

    abstract Scheduler scheduler();

    @Override
    public abstract CoroutineImpl<?> coroutine();

    @Override
    public final WakerStatus status() {
        return STATUSES[status];
    }

    // ---- preparing

    /**
     * Makes the waker ready for a new wait, having made sure that the coroutine may wait here at all. For a coroutine that has just been looked
     * up as the one that runs here.
     */
    public final void newWait() {
        scheduler().requireNoHandler(coroutine());
        reset();
    }

    /** Writes only what changes: a reference store has its price, and most waits come to nothing but their end. */
    private void settle(@Nullable Object value, boolean isError) {
        if (outcome != value) outcome = value;
        kind = isError ? ERROR : VALUE;
    }

    private @Nullable Throwable error() {
        return kind == VALUE ? null : (Throwable) outcome;
    }

    /** Drops what was prepared and not awaited. */
    final void reset() {
        releaseAll();
        settle(null, false);
        if (triggered != null) triggered = null;
        status = NO_STATUS;
    }

    @Override
    public final void resumeWhen(Event event, ResumeCallback callback) {
        Scheduler scheduler = scheduler();
        if (status == RESULT && last == null && scheduler.current == this) return; // fired already while preparing
        if (status != NO_STATUS || scheduler.current != this) {
            throw new IllegalStateException(
                    "resumeWhen belongs to the running coroutine between Waker.current() and await(); status is "
                            + status());
        }
        if (event instanceof CoroutineImpl<?> awaited && awaited.scheduler() != scheduler)
            throw Misuse.foreignThread("a wait for coroutine " + awaited.label(), awaited.scheduler());
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

    /** See {@link Waker#await}. */
    public final @Nullable Object awaitEvents() {
        if (mustSuspend()) suspend();
        return takeOutcome();
    }

    /** Arms what was prepared. False if there is nothing to wait for, or it has happened already. */
    private boolean mustSuspend() {
        scheduler().requireMaySuspend(coroutine());
        if (status != NO_STATUS || last == null) return false;
        try {
            coroutine().throwPending();
            armAll();
        } catch (Throwable e) {
            reset();
            throw e;
        }
        return status == WAITING;
    }

    /** Whatever ends the suspension otherwise than by a wake leaves nothing behind. */
    private void suspend() {
        try {
            scheduler().switchAway(coroutine());
        } catch (Throwable e) {
            reset();
            throw e;
        }
    }

    /** Waits at least this long. For a coroutine that has just been looked up, as below. */
    final void sleepFor(long nanos) {
        park(nanos);
        suspend();
        takeOutcome();
    }

    private void park(long nanos) {
        newWait();
        coroutine().throwPending();
        if (sleep == null) sleep = new Sleep(this);
        sleep.begin(nanos);
        status = WAITING;
    }

    /**
     * Waits until {@link #wake} or {@link #wakeWithError} is called, as for an event, but without one. For a coroutine that has just been looked up
     * as the one that runs here.
     *
     * @param wait begins and ends with the wait
     */
    public final void waitFor(DirectWait wait) {
        begin(wait);
        suspend();
        takeOutcome();
    }

    private void begin(DirectWait wait) {
        newWait();
        coroutine().throwPending();
        wait.begin();
        direct = wait;
        status = WAITING;
    }

    /**
     * Has something end with the wait that is being prepared or armed: when it is woken, gives up, or turns out to have nothing to wait for. For events that must know how
     * long somebody waits for them.
     *
     * @param companion one for each wait
     * @return false if there is no such wait, or if it has one already
     */
    public final boolean endsWithWait(WaitEnd companion) {
        if (direct != null || last == null || (status != ARMING && status != NO_STATUS)) return false;
        direct = companion;
        return true;
    }

    /** Goes to the back of the run queue and lets the others run. */
    final void yieldToQueue() {
        if (!joinsQueue()) return;
        suspendQueued();
        takeOutcome();
    }

    private boolean joinsQueue() {
        Scheduler scheduler = scheduler();
        CoroutineImpl<?> self = coroutine();
        scheduler.requireNoHandler(self);
        self.throwPending();
        if (scheduler.shutdown.isOutOfPatience()) {
            status = WAITING;
            return true;
        }
        if (scheduler.nothingElseIsReady()) return false;
        if (last != null || triggered != null) reset();
        scheduler.enqueueLast(self);
        status = QUEUED;
        return true;
    }

    private void suspendQueued() {
        try {
            scheduler().switchAway(coroutine());
        } catch (Throwable e) {
            scheduler().dequeue(coroutine());
            reset();
            throw e;
        }
    }

    /** Arms the events in the order of subscription; stops as soon as one of them turns out to have happened. */
    private void armAll() {
        status = ARMING;
        Subscription end = last;
        for (Subscription s = first(); s != null && status == ARMING; s = s == end ? null : s.nextOfWaker) {
            Event event = s.event();
            if (event == null) continue;
            if (event.isClosed()) {
                if (!event.replay(s)) {
                    triggered(event);
                    wake(null);
                    // Not before, and not from here: what an event says of itself and who gets reports may be the
                    // program's code, which may meet a lock.
                    scheduler().report("Waited for a closed event that has nothing to replay: " + info(event));
                }
            } else {
                s.started = true;
                event.start();
            }
        }
        if (status == ARMING) status = WAITING;
    }

    private @Nullable Object takeOutcome() {
        Object value = outcome;
        byte taken = kind;
        settle(null, false);
        status = NO_STATUS;
        if (taken == VALUE) return value;
        var thrown = (Throwable) Objects.requireNonNull(value);
        if (taken == GIVEN_UP) thrown.fillInStackTrace(); // where it waited says more than who has fired
        if (thrown instanceof AsyncCancellation) coroutine().cancellationDelivered(thrown);
        throw Throwing.sneaky(thrown);
    }

    // ---- waking

    @Override
    public final void wake(@Nullable Object value) {
        requireLoopThread();
        switch (status) {
            case WAITING, ARMING -> {
                if (kind == VALUE) settle(value, false); // a switch handler may have failed since
                ready();
            }
            case NO_STATUS -> {
                requirePreparing();
                settle(value, false);
                releaseAll();
                status = RESULT;
            }
            case RESULT ->
                throw new IllegalStateException("coroutine " + coroutine().label()
                        + " is not suspended; only a waiting coroutine can be woken");
            default -> {}
        }
    }

    @Override
    public final void wakeWithError(Throwable cause) {
        requireLoopThread();
        switch (status) {
            case WAITING, ARMING -> {
                Throwable earlier = error();
                settle(earlier == null ? cause : Causes.joined(cause, earlier), true);
                ready();
            }
            case NO_STATUS -> {
                requirePreparing();
                settle(cause, true);
                releaseAll();
                status = RESULT;
            }
            case QUEUED -> mergeError(cause);
            case RESULT ->
                throw new IllegalStateException("coroutine " + coroutine().label()
                        + " is not suspended; only a waiting coroutine can be woken");
            default -> {}
        }
    }

    @Override
    protected final void requireLoopThread() {
        Scheduler scheduler = scheduler();
        if (!scheduler.isLoopThread())
            throw Misuse.foreignThread(
                    "waiting for or waking coroutine " + coroutine().label(), scheduler);
    }

    private void requirePreparing() {
        if (last == null)
            throw new IllegalStateException(
                    "coroutine " + coroutine().label() + " is not suspended; only a waiting coroutine can be woken");
    }

    /** The first error stays against a later cancellation; a later error of another kind wins and keeps the former as its cause. */
    private void mergeError(Throwable later) {
        Throwable first = error();
        if (first == null) {
            settle(later, true);
        } else if (!(later instanceof AsyncCancellation) && later != first) {
            settle(Causes.after(later, first), true);
        }
    }

    private void ready() {
        releaseAll();
        if (status == ARMING) {
            status = RESULT;
        } else {
            status = QUEUED;
            scheduler().enqueue(coroutine());
        }
    }

    /** A callback may have given the wait up because of an event: then the outcome was made for this wait alone, and is not the event's own error. */
    final void perhapsGivenUp(@Nullable Throwable error) {
        if (kind == ERROR && outcome != error && outcome instanceof OperationCanceledException) kind = GIVEN_UP;
    }

    /** Makes an error the outcome of the wait, whatever it was going to be: a forced cancellation. */
    final void overrideOutcome(Throwable cause) {
        if (status == QUEUED) settle(cause, true);
        else wakeWithError(cause);
    }

    /** True if it has been woken with an error, which it has not yet thrown. */
    final boolean isWokenWithError() {
        return kind != VALUE && status == QUEUED;
    }

    /** True from the first subscription of a wait until its outcome was taken. */
    final boolean isPreparing() {
        return status != NO_STATUS || last != null;
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
        settle(Causes.joined(error(), cause), true);
    }

    private @Nullable Subscription first() {
        return last == null ? null : last.nextOfWaker;
    }

    private void releaseAll() {
        if (sleep != null && sleep.isArmed()) sleep.end();
        WaitEnd waited = direct;
        if (waited != null) {
            direct = null;
            waited.end();
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
                // an event that can't disarm must cost neither this wake nor the other subscriptions
                scheduler().errors.unhandled(e);
            }
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
        if (sleep != null) sleep.forget();
        sleep = null;
        settle(null, false);
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
        if (sleep != null && sleep.isArmed()) lines.add(sleep.info());
        if (direct instanceof DirectWait waited) lines.add(waited.info());
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.nextOfWaker)
            if (s.event() != null) lines.add(info(s.event()));
        return lines;
    }

    /**
     * Adds those of whom one must run before its wait can end.
     *
     * @return false if it does not wait in our way, or if others could wake it
     */
    final boolean addThoseWhoCanWake(Collection<CoroutineImpl<?>> by) {
        if (status != WAITING) return false;
        if (direct instanceof DirectWait) return direct instanceof WaitForNode known && known.addProducers(by);
        if (last == null || (sleep != null && sleep.isArmed())) return false;
        Subscription end = last;
        for (Subscription s = first(); s != null; s = s == end ? null : s.nextOfWaker) {
            if (!(s.event() instanceof WaitForNode known) || !known.addProducers(by)) return false;
        }
        return true;
    }

    /** True if its wait would end too if somebody gave back what he was lent, whoever that is. */
    final boolean waitsForALoan() {
        return direct instanceof WaitForNode;
    }

    /** A report must not fail for what an event says of itself. */
    private static String info(Event event) {
        try {
            return event.info();
        } catch (Throwable e) {
            return event.getClass().getName() + ", whose info() failed with " + Causes.text(e);
        }
    }
}
