package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.Lent;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.spi.WakerStatus;

/**
 * The wait of a coroutine: what it waits for, and how that ends. A superclass rather than an object of its own:
 * embedded, it costs a suspended coroutine a few fields. What it keeps for the next wait ({@link EventWait}, {@link
 * Sleep}) is made by the first wait of that kind.
 *
 * <pre>
 *  NO_STATUS -> WAITING  await() suspends
 *  NO_STATUS -> QUEUED   a yield: straight to the back of the run queue
 *  NO_STATUS -> RESULT   an event fired while the wait was being prepared or armed: no suspension at all
 *  WAITING   -> QUEUED   an event fired, or a cancellation came; all subscriptions of the wait are gone
 *  QUEUED    -> RESULT   switched in
 *  NO_STATUS -> IGNORED  cancelled before it began; the scheduler ends it instead of running it
 *  RESULT    -> NO_STATUS  the outcome was taken
 * </pre>
 *
 * Invariant: outside {@code NO_STATUS} (preparing) and {@code WAITING} there are no active subscriptions.
 */
abstract class WaitState extends CoroutineFlags {
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

    /** The length to which waits are followed: a wait may lead into a ring that it is not part of. */
    static final int MAX_RING = 1_000;

    private static final byte VALUE = 0;
    private static final byte ERROR = 1;
    private static final byte TOKEN_FIRED = 2;

    byte status;
    /** The outcome is a value, an error to throw, or an error that was made for this wait where its token fired. */
    private byte kind;

    private @Nullable Object outcome;
    /** The wait that is prepared or under way. */
    private @Nullable Wait wait;

    /** Kept for the next wait of its kind. */
    private @Nullable EventWait events;

    private @Nullable Sleep sleep;

    WaitState(CoroutineKind kind) {
        super(kind);
    }

    abstract Loop loop();

    abstract CoroutineImpl<?> coroutine();

    /** See {@link Waker#status}. */
    final WakerStatus status() {
        return STATUSES[status];
    }

    // ---- preparing

    /**
     * Makes sure that the coroutine may wait here, and makes it ready for a new wait. For a coroutine that has
     * just been looked up as the one that runs here.
     */
    public final void newWait() {
        loop().requireMaySuspend(coroutine());
        reset();
    }

    /**
     * Sets the outcome. Writes only what changes: a reference store has its price, and most waits end without a value.
     */
    private void settle(@Nullable Object value, boolean isError) {
        if (outcome != value) outcome = value;
        kind = isError ? ERROR : VALUE;
    }

    private @Nullable Throwable error() {
        return kind == VALUE ? null : (Throwable) outcome;
    }

    /** Ends the wait, also one that was only prepared, and drops its outcome. */
    final void reset() {
        endWait();
        settle(null, false);
        if (events != null) events.forgetTriggered();
        status = NO_STATUS;
    }

    private void endWait() {
        Wait ended = wait;
        if (ended == null) return;
        wait = null;
        ended.end();
    }

    /** The waker of its waits, for other code: one object for all waits, as long as it goes on. */
    final EventWait waker() {
        EventWait made = events;
        if (made == null) events = made = new EventWait(this);
        return made;
    }

    /** See {@link Waker#resumeWhen}. */
    public final void resumeWhen(Event event, ResumeCallback callback) {
        Loop loop = loop();
        if (status == RESULT && wait == null && loop.current == this) return; // fired already while preparing
        if (status != NO_STATUS || loop.current != this) {
            throw new IllegalStateException(
                    "resumeWhen belongs to the running coroutine between Waker.current() and await(); status is "
                            + status());
        }
        if (event instanceof CoroutineImpl<?> awaited && awaited.loop() != loop)
            throw Misuse.foreignThread("Waker.resumeWhen with coroutine " + awaited.label(), awaited.loop());
        EventWait prepared = waker();
        wait = prepared;
        try {
            prepared.add(event, callback);
        } catch (Throwable e) {
            if (prepared.isEmpty()) wait = null; // there was no memory for the first subscription
            throw e;
        }
    }

    // ---- waiting

    /**
     * Suspends the coroutine until the wait ends, and throws the error with which it was woken. For a coroutine that
     * has just been looked up as the one that runs here.
     *
     * @param wait is begun and ended here
     */
    public final void suspend(Wait wait) {
        newWait();
        if (park(wait)) Suspension.of(coroutine());
        takeOutcome();
    }

    /** Waits for the events that were prepared. See {@link Waker#await}. */
    public final @Nullable Object awaitEvents() {
        loop().requireMaySuspend(loop().requireRunning(coroutine()));
        Wait prepared = wait;
        if (status == NO_STATUS && prepared != null && park(prepared)) Suspension.of(coroutine());
        return takeOutcome();
    }

    /**
     * The wait for a time.
     *
     * @param nanos > 0
     */
    final Wait sleep(long nanos) {
        if (sleep == null) sleep = new Sleep(this);
        return sleep.of(nanos);
    }

    /**
     * Begins the wait. False if it is over already, or if {@link Wait#begin} has waited itself and so has replaced it.
     */
    private boolean park(Wait begun) {
        try {
            coroutine().throwPending();
            wait = begun;
            status = ARMING;
            begun.begin(coroutine());
            if (status == ARMING && begun instanceof WaitForNode node) followWaits(node);
        } catch (Throwable e) {
            reset();
            throw e;
        }
        if (status == ARMING) status = WAITING;
        return status == WAITING || status == QUEUED;
    }

    /**
     * Follows the waits from the one that begins: refuses it if nothing but this coroutine itself could end it, and
     * tells the loop if it closes a ring. Costs next to nothing unless what it waits for waits in its turn.
     */
    private void followWaits(WaitForNode begun) {
        CoroutineImpl<?> self = coroutine();
        Coroutine<?> next = begun.needs(self);
        if (next == self) throw Misuse.waitsForItself(self);
        for (int steps = 1; next != null && steps < MAX_RING; steps++) {
            next = CoroutineImpl.of(next).needsForItsWait(self);
            if (next == self) loop().ringClosed(self);
            if (next == self) return;
        }
    }

    /** See {@link WaitForNode#needs}, for the end of its wait; null if it is in no wait of ours. */
    final @Nullable Coroutine<?> needsForItsWait(Coroutine<?> sought) {
        return status == WAITING && wait instanceof WaitForNode node ? node.needs(sought) : null;
    }

    /** Ends the wait and takes the coroutine out of the run queue, as it could not suspend. */
    final void couldNotSuspend() {
        if (status == QUEUED) loop().agenda.queue.remove(coroutine());
        reset();
    }

    /** Puts the coroutine at the back of the run queue as its wait: it goes on without being woken. */
    final void queueLast() {
        wait = null;
        loop().agenda.queue.addLast(coroutine());
        status = QUEUED;
    }

    /**
     * Registers what is to end with the wait for events that is being prepared or begins, however that wait ends. For
     * events that must know how long a wait for them lasts.
     *
     * @param companion at most one for each wait
     * @return false if there is no such wait, or if it has a companion already
     */
    public final boolean endsWithWait(WaitEnd companion) {
        EventWait begins = events;
        if (begins == null || wait != begins || begins.hasCompanion() || (status != ARMING && status != NO_STATUS))
            return false;
        begins.setCompanion(companion);
        return true;
    }

    /** True while the wait begins: an event that fires now costs no switch. */
    final boolean isArming() {
        return status == ARMING;
    }

    private @Nullable Object takeOutcome() {
        Object value = outcome;
        byte taken = kind;
        settle(null, false);
        status = NO_STATUS;
        if (taken == VALUE) return value;
        var thrown = (Throwable) Objects.requireNonNull(value);
        if (taken == TOKEN_FIRED) thrown.fillInStackTrace(); // the place of the wait says more than that of the token
        if (thrown instanceof AsyncCancellation) coroutine().cancellationDelivered(thrown);
        throw Throwing.sneaky(thrown);
    }

    // ---- waking

    /** See {@link Waker#wake}. */
    public final void wake(@Nullable Object value) {
        requireLoopThread();
        switch (status) {
            case WAITING, ARMING -> {
                // Otherwise a switch handler has failed meanwhile, and its error stays.
                if (kind == VALUE) settle(value, false);
                ready();
            }
            case NO_STATUS -> {
                requirePreparing();
                settle(value, false);
                endWait();
                status = RESULT;
            }
            case RESULT ->
                throw new IllegalStateException("coroutine " + coroutine().label()
                        + " is not suspended; only a waiting coroutine can be woken");
            default -> {}
        }
    }

    /** See {@link Waker#wakeWithError}. */
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
                endWait();
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
        Loop loop = loop();
        if (!loop.isLoopThread())
            throw Misuse.foreignThread(
                    "Waker.wake or await of coroutine " + coroutine().label(), loop);
    }

    private void requirePreparing() {
        if (wait == null)
            throw new IllegalStateException(
                    "coroutine " + coroutine().label() + " is not suspended; only a waiting coroutine can be woken");
    }

    /**
     * Keeps the first error if a cancellation comes later. A later error of another kind replaces it, with the first
     * one as its cause.
     */
    private void mergeError(Throwable later) {
        Throwable first = error();
        if (first == null) {
            settle(later, true);
        } else if (!(later instanceof AsyncCancellation) && later != first) {
            settle(Causes.after(later, first), true);
        }
    }

    private void ready() {
        if (status != ARMING) Turns.woken(coroutine(), wait);
        endWait();
        if (status == ARMING) {
            status = RESULT;
        } else {
            status = QUEUED;
            loop().scheduler.enqueue(coroutine());
        }
    }

    /**
     * Notes if a callback has given the wait up because of an event: then the outcome was made for this wait alone, and
     * is not the event's own error.
     */
    final void noteTokenFired(@Nullable Throwable error) {
        if (kind == ERROR
                && outcome != error
                && (outcome instanceof OperationCanceledException || outcome instanceof AsyncTimeoutException))
            kind = TOKEN_FIRED;
    }

    /**
     * Ends the wait by a cancellation. If the coroutine is queued already, this replaces the outcome that it was woken
     * with.
     */
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
        return status != NO_STATUS || wait != null;
    }

    /** True if the scheduler must end it instead of running it. */
    final boolean isCancelledUnstarted() {
        return status == IGNORED;
    }

    /** Called when the scheduler has switched in. */
    final void switchedIn() {
        if (status == QUEUED) status = RESULT;
    }

    /** Adds to the outcome what a switch handler threw at LEAVE or ENTER. */
    final void addError(Throwable cause) {
        settle(Causes.joined(error(), cause), true);
    }

    /** Releases what was kept for further waits. For a coroutine that has ended. */
    final void forgetWaits() {
        endWait();
        events = null;
        if (sleep != null) sleep.forget();
        sleep = null;
        settle(null, false);
    }

    // ---- for StuckSearch

    /** True if it is suspended, nothing has woken it, and all that it waits for is {@link HeldByWakers}. */
    final boolean isHeldByWakers() {
        Wait present = wait;
        return status == WAITING
                && outcome == null
                && (present instanceof EventWait several ? several.isHeldByWakers() : HeldByWakers.is(present));
    }

    /** Refers to an object from a wait that {@link #isHeldByWakers}, until {@link #untie}. Nothing may wake it then. */
    final void tie(Object to) {
        outcome = to;
    }

    /** What it is tied to. */
    final @Nullable Object tied() {
        return outcome;
    }

    /** Ends {@link #tie}, and returns the object. */
    final @Nullable Object untie() {
        Object tied = outcome;
        outcome = null;
        if (wait instanceof Lent lent) lent.hasAgain(coroutine());
        return tied;
    }

    /** Its wait, if that is for what is lent alone. */
    final @Nullable Lent lent() {
        return wait instanceof Lent lent ? lent : null;
    }

    /** See {@link HeldByWakers#isReachableAgain}. */
    final void waitIsReachableAgain() {
        if (wait instanceof EventWait several) several.isReachableAgain();
        else if (wait instanceof HeldByWakers one) one.isReachableAgain();
    }

    // ---- about the wait

    final List<String> awaitedEvents() {
        var lines = new ArrayList<String>();
        if (wait != null) wait.describe(lines);
        return lines;
    }

    /**
     * Adds the coroutines of which one must run before its wait can end.
     *
     * @return false if it is in no wait of ours, or if anything else could wake it
     */
    final boolean addWakers(Collection<Coroutine<?>> by) {
        return status == WAITING && wait instanceof WaitForNode known && known.addProducers(by);
    }

    /** See {@link WaitForNode#addHolders}. */
    final void addHoldersOfAwaited(Collection<Long> ids) {
        if (status == WAITING && wait instanceof WaitForNode known) known.addHolders(ids);
    }

    /** True if it waits for something that is lent: any holder that gives it back can end the wait. */
    final boolean waitsForLease() {
        return wait instanceof Lent lent && lent.othersMayGiveBack();
    }
}
