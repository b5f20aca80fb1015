package org.trueasync.internal.kernel;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.foreign.CallUnderWay;
import org.trueasync.internal.foreign.DueFailures;
import org.trueasync.internal.foreign.Interruption;
import org.trueasync.internal.foreign.SentInterrupt;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.jdk.ThreadLocks;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.time.SectionLimit;
import org.trueasync.spi.ForeignCall;

/**
 * What one coroutine has been asked to end for, and how far that has got.
 *
 * <p>The first reason is for good: it decides how the coroutine ends. The pending one is still to be delivered, once, at the next wait that no
 * protected section defers: one of ours throws it, one of the JDK's is interrupted, at once or as soon as the coroutine is parked in it. A wait that
 * pays no attention to interrupts is left alone, and so is one that has been over before the request came: what it brings is not lost.
 */
final class Cancellation {
    private final CoroutineImpl<?> coroutine;
    private @Nullable AsyncCancellation first;
    private @Nullable AsyncCancellation pending;
    /** What a wait has thrown last. */
    private @Nullable AsyncCancellation delivered;

    private int protections;

    /** The last one by which a request was delivered. */
    private @Nullable SentInterrupt interrupt;

    /** With how many protected sections open it was sent. */
    private int interruptDepth;

    /** That of the innermost section that has one. */
    private @Nullable SectionLimit limit;

    /** Somebody else's interrupt, to be thrown at the next wait if its status is still set. */
    private @Nullable Interruption interruption;

    /** Its thread is one that somebody asked for: an interrupt status found at a wait ends it, as the JDK's waits have it. */
    private boolean heedsStatus;

    /** Made by the first call. */
    private @Nullable CallUnderWay calls;

    /** How shielded calls have failed while something was due. */
    private @Nullable DueFailures dueFailures;

    /** Deadlock or shutdown: protection does not hold. */
    private boolean forced;

    Cancellation(CoroutineImpl<?> coroutine) {
        this.coroutine = coroutine;
    }

    boolean isRequested() {
        return first != null;
    }

    // ---- asking

    /** An ordinary request; while an earlier one is still pending it changes nothing. */
    void request(AsyncCancellation reason) {
        if (isOnItsWay()) return;
        record(reason);
        if (protections == 0) deliver(reason);
        else tellCallIn(0);
    }

    /** The request concerns a section that has begun with so many protections: if nothing but a call defers it, the call learns of it. */
    private void tellCallIn(int outside) {
        if (calls != null && calls.alone(protections, outside)) calls.tell(coroutine.scheduler()::inService);
    }

    /** The request of deadlock and shutdown: neither protection nor an earlier one that was caught holds it up. */
    void force(AsyncCancellation reason) {
        forced = true;
        if (pending == null) {
            if (isOnItsWay()) return;
            record(reason);
        }
        if (calls == null || !calls.isUnderWay() || calls.wasTold()) deliver(Objects.requireNonNull(pending));
        else calls.tell(coroutine.scheduler()::inService);
    }

    /** For one that begins during a shutdown: its first wait throws. If it needs none, or fails before, that is how it ends. */
    void begin(AsyncCancellation reason) {
        forced = true;
        pending = reason;
    }

    private boolean isOnItsWay() {
        if (pending != null) return true;
        return interrupt != null && interrupt.isUnderWay() && limitWith(interrupt.reason) == null;
    }

    private void record(AsyncCancellation reason) {
        pending = reason;
        if (first == null) first = reason;
    }

    private AsyncCancellation takePending() {
        AsyncCancellation reason = Objects.requireNonNull(pending);
        pending = null;
        delivered = reason;
        if (first == null) first = reason;
        return reason;
    }

    /** What nothing defers: a request, or else a section's limit. */
    private @Nullable AsyncCancellation due() {
        if (pending != null && (protections == 0 || forced)) return pending;
        return limit == null ? null : limit.due(protections);
    }

    private AsyncCancellation take(AsyncCancellation due) {
        SectionLimit ofSection = limitWith(due);
        if (ofSection == null) return takePending();
        ofSection.thrown();
        return due;
    }

    private @Nullable SectionLimit limitWith(Throwable reason) {
        return limit == null ? null : limit.with(reason);
    }

    private void deliver(AsyncCancellation reason) {
        if (!coroutine.isStarted())
            coroutine.status = EmbeddedWaker.IGNORED; // its turn will end it instead of running it
        else if (coroutine.isWokenWithError()) yieldToError();
        // One that runs, or that JDK code has parked, and waits is in its own tick, about to give control away.
        else if (coroutine.isWaitingOrQueued()) endOurWait(reason);
        else if (JdkPark.isBlocked(coroutine)) interruptWait(reason);
        // else it is due at the next wait
    }

    private void endOurWait(AsyncCancellation reason) {
        coroutine.overrideOutcome(reason);
        if (forced) interruptHandlers();
    }

    /** What its switch handlers and microtasks wait for is not the coroutine's affair, but nothing holds up an end. */
    private void interruptHandlers() {
        if (JdkPark.isBlocked(coroutine))
            Objects.requireNonNull(coroutine.context).interrupt();
    }

    /** The error that has already woken it goes first, and takes an ordinary request with it, unless it is but the end of a section's time. */
    private void yieldToError() {
        if (forced) interruptHandlers();
        else if (limit == null || limit.due(protections) == null) pending = null;
    }

    /** In a coroutine. */
    private void interruptCall(CallUnderWay call) {
        call.interrupts();
        Objects.requireNonNull(coroutine.context).interrupt();
    }

    /** In a coroutine, as interrupts and looking at a stack may meet locks. */
    private void interruptWait(AsyncCancellation reason) {
        if (calls != null && calls.isUnderWay()) {
            interruptCall(calls);
            return;
        }
        ExecutionContext context = Objects.requireNonNull(coroutine.context);
        StackTraceElement[] stack = context.thread.getStackTrace();
        if (!ForeignWait.isInterruptible(context.thread.getState(), stack)) return;
        if (ThreadLocks.isSignalled(context.thread)) return;
        interruptDepth = limitWith(reason) == null ? 0 : protections;
        interrupt = new SentInterrupt(take(reason), stack);
        context.interrupt();
        VirtualThreads.forgetWake(context.thread);
    }

    /** JDK code has parked the coroutine. In the loop's frame. */
    void parked() {
        boolean fresh = interrupt != null && interrupt.takeFresh();
        if (fresh || isDueInJdkCode()) coroutine.scheduler().inService(() -> lookAtWait(fresh));
    }

    private boolean isDueInJdkCode() {
        return due() != null && !isInCall() && !coroutine.refusesWaits() && !coroutine.isWaitingOrQueued();
    }

    private void lookAtWait(boolean fresh) {
        if (!JdkPark.isBlocked(coroutine)) return;
        if (fresh && interrupt != null)
            interrupt.parkedAgain(
                    Objects.requireNonNull(coroutine.context).thread.getStackTrace());
        if (isDueInJdkCode()) interruptWait(Objects.requireNonNull(due()));
    }

    /** The coroutine comes back from JDK code. In the loop's frame, before it is mounted. */
    void returnsFromJdk() {
        SentInterrupt sent = interrupt;
        if (sent == null || !sent.isUnderWay()) return;
        Thread thread = Objects.requireNonNull(coroutine.context).thread;
        if (sent.arrives(thread) || interruption != null || !VirtualThreads.clearInterrupt(thread)) return;
        interrupt = null;
        takenBack(sent.reason);
    }

    // ---- interrupts by others

    /**
     * Somebody has called {@code Thread.interrupt} on the coroutine's thread. JDK code that waits looks after that itself; a wait of ours ends, or the next one
     * throws.
     */
    void interrupted(Interruption byOther) {
        if (JdkPark.isBlocked(coroutine) && !coroutine.isWaitingOrQueued()) {
            // Its wake-up follows. If it does not look at the status, the next wait of ours will.
            coroutine.scheduler().inService(() -> {
                if (!JdkPark.isParked(coroutine) || !endsJdkWait()) interruption = byOther;
            });
        } else if (protections == 0 && coroutine.isWaiting()) {
            coroutine.wakeWithError(byOther);
        } else {
            interruption = byOther;
        }
    }

    /** From now on a status that is set when a wait of ours begins ends it, whoever has set it. */
    void heedStatus() {
        heedsStatus = true;
    }

    private boolean endsJdkWait() {
        Thread thread = Objects.requireNonNull(coroutine.context).thread;
        return thread.getState() != Thread.State.BLOCKED
                && ForeignWait.isInterruptible(Thread.State.WAITING, thread.getStackTrace());
    }

    // ---- delivering

    /** Where the coroutine is about to suspend: throws what is due. */
    void throwIfDue() {
        AsyncCancellation due = takeDue();
        if (due != null) throw due;
        // One that our own interrupt has left is no second delivery.
        if (heedsStatus && first == null && protections == 0 && Thread.interrupted())
            throw Interruption.before(coroutine);
    }

    private @Nullable AsyncCancellation takeDue() {
        AsyncCancellation due = due();
        if (due != null) return take(due);
        if (interrupt != null && protections <= interruptDepth) {
            interrupt.takeFresh();
            if (interrupt.takePutOff()) return interrupt.reason;
        }
        if (protections > 0) return null;
        Interruption byOther = interruption;
        interruption = null;
        return byOther != null && Thread.interrupted() ? byOther : null;
    }

    /** A wait has thrown this. */
    void delivered(Throwable thrown) {
        if (thrown instanceof Interruption) Thread.interrupted();
        SectionLimit ofSection = limitWith(thrown);
        if (ofSection != null) ofSection.thrown();
        if (pending != thrown) return;
        delivered = pending;
        pending = null;
    }

    /** Who was thrown this has gone on as if it had not been: it is due again. False if it was no request. */
    boolean takenBack(Throwable thrown) {
        SectionLimit ofSection = limitWith(thrown);
        if (ofSection != null) ofSection.takenBack();
        if (ofSection != null) return true;
        if (thrown != delivered) return false;
        if (pending == null) pending = delivered;
        return true;
    }

    /**
     * Runs a section in which no cancellation is thrown. One that is due goes before the outermost section. One that came meanwhile is due at the first wait
     * after it, so that the section's value is not lost; only if the section failed it is thrown in place of the error, which it carries.
     */
    <V> V protect(Callable<V> section) {
        AsyncCancellation due = protections == (limit == null ? 0 : limit.protections) ? takeDue() : null;
        if (due != null) throw due;
        return shield(section);
    }

    /** As {@link #protect}, for what has to be done, whatever is due. */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    <V> V shield(Callable<V> section) {
        // JDK code in the section is not interrupted by what was before it either.
        boolean status = protections++ == 0 && Thread.interrupted();
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        protections--;
        if (status) Thread.currentThread().interrupt();
        if (thrown == null) return value;
        AsyncCancellation deferred = takeDeferred(thrown);
        throw Throwing.sneaky(deferred != null ? deferred : thrown);
    }

    /** What was deferred so far and goes before an error that has left what deferred it; the error is attached. Null if nothing does. */
    private @Nullable AsyncCancellation takeDeferred(Throwable thrown) {
        AsyncCancellation deferred = protections == 0 ? due() : limit == null ? null : limit.due(protections);
        if (deferred == null || deferred == thrown) return null;
        take(deferred);
        Causes.joined(deferred, thrown);
        return deferred;
    }

    // ---- sections with a limit

    /**
     * Runs a section that is asked to end when the time is over. The coroutine itself is not: it goes on where this throws.
     *
     * @param length > 0
     * @throws org.trueasync.AsyncTimeoutException if the section has ended for that reason; one that has succeeded nevertheless has succeeded
     */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    <V> V within(Duration length, Callable<V> section) {
        if (length.isZero()) throw SectionLimit.notBegun();
        var mine = new SectionLimit(
                this::timeIsOver,
                limit,
                protections,
                length,
                coroutine.scheduler().timers.oneShot(length));
        limit = mine;
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        limit = mine.outer;
        boolean told = mine.wasTold();
        mine.end();
        if (!mine.hasFallen()) {
            if (thrown == null) return value;
            throw Throwing.sneaky(thrown);
        }
        SentInterrupt sent = takeInterruptOf(mine);
        if (thrown == null) return value;
        if (isEndOf(mine, thrown, told, sent)) {
            AsyncTimeoutException timeout = mine.timeout(thrown);
            AsyncCancellation own = pending;
            if (own == null || (protections > 0 && !forced)) throw timeout;
            // The coroutine itself was cancelled meanwhile, and the section's value is lost anyway.
            pending = null;
            delivered = own;
            Causes.joined(own, timeout);
            throw own;
        }
        boolean isCancellation = thrown instanceof AsyncCancellation;
        throw Throwing.sneaky(isCancellation ? thrown : withCause(thrown, mine.reason()));
    }

    /** Nothing of it is left: what comes after the section is not to be interrupted by it. */
    private @Nullable SentInterrupt takeInterruptOf(SectionLimit over) {
        SentInterrupt sent = interrupt;
        if (sent == null || sent.reason != over.reason()) return null;
        interrupt = null;
        Thread.interrupted();
        return sent;
    }

    private boolean isEndOf(SectionLimit over, Throwable thrown, boolean told, @Nullable SentInterrupt sent) {
        if (thrown == over.reason() || (dueFailures != null && dueFailures.end(over.reason(), thrown))) return true;
        if (!told || limitWith(thrown) != null) return false;
        // Whoever is cancelled himself lets pass what he gets.
        if (thrown instanceof AsyncCancellation) return first == null;
        return sent != null && isOfInterrupt(sent.originOf(thrown), thrown);
    }

    /** In the loop's frame. */
    private void timeIsOver(SectionLimit over) {
        coroutine.scheduler().inService(() -> {
            if (!over.fall(coroutine.trace())) return;
            AsyncCancellation due = due();
            if (due == over.reason()) deliver(due);
            else tellCallIn(over.protections);
        });
    }

    // ---- calls that know how to give up

    private boolean isInCall() {
        return calls != null && calls.isUnderWay();
    }

    void begin(ForeignCall call) {
        begin(call, false);
    }

    private boolean begin(ForeignCall call, boolean shielded) {
        protections++;
        if (calls == null) calls = new CallUnderWay();
        if (calls.isUnderWay()) return false;
        calls.begin(call, protections, shielded);
        return true;
    }

    /**
     * What is due already is due after the call as well; the call learns of it.
     *
     * @return true if something is
     */
    boolean beginShielded(ForeignCall call) {
        AsyncCancellation due = due();
        boolean outermost = begin(call, true);
        if (due == null) return false;
        if (!outermost) return true;
        SectionLimit ofSection = limitWith(due);
        if (ofSection != null) tellCallIn(ofSection.protections);
        else if (forced) Objects.requireNonNull(calls).tell(coroutine.scheduler()::inService);
        else tellCallIn(0);
        return true;
    }

    /**
     * What to throw. A request that came during a call which failed nevertheless goes first, and carries the failure. A shielded call fails as it does: who cleans up may
     * well swallow that, but must not swallow the request.
     */
    @Nullable
    Throwable end(@Nullable Throwable thrown) {
        CallUnderWay ending = calls;
        if (ending == null || !ending.isUnderWay())
            throw new IllegalStateException("ForeignCalls.end without a begin before it: " + coroutine.info());
        boolean shielded = ending.end(protections--);
        if (thrown == null) return null;
        if (shielded) {
            noteFailure(thrown);
            return thrown;
        }
        AsyncCancellation deferred = takeDeferred(thrown);
        return deferred != null ? deferred : thrown;
    }

    private void noteFailure(Throwable failure) {
        AsyncCancellation due = due();
        if (due == null) return;
        if (dueFailures == null || dueFailures.due != due) dueFailures = new DueFailures(due, limitWith(due) == null);
        dueFailures.add(failure);
    }

    void interruptForeignCall() {
        if (calls != null && calls.isUnderWay() && JdkPark.isBlocked(coroutine)) interruptCall(calls);
    }

    // ---- the end

    /** The reason that ends a coroutine which never ran. */
    AsyncCancellation reason() {
        return first != null ? first : new AsyncCancellation();
    }

    /** What the coroutine ends with, given what its body threw, or null if it returned. */
    @Nullable
    Throwable outcome(@Nullable Throwable thrown) {
        AsyncCancellation reason = first;
        if (reason == null) return thrown;
        if (thrown == null)
            return pending != null || (interrupt != null && interrupt.isStatusLeftSet()) ? reason : null;
        if (thrown instanceof AsyncCancellation) return reason;
        if (dueFailures != null && dueFailures.endOfRequest(thrown)) {
            Causes.joined(reason, thrown);
            return reason;
        }
        if (interrupt != null && isOfInterrupt(interrupt.originOf(thrown), thrown)) {
            Causes.joined(reason, thrown);
            return reason;
        }
        return withCause(thrown, reason);
    }

    private boolean isOfInterrupt(SentInterrupt.Origin origin, Throwable thrown) {
        // Most likely it is what a library makes of an interrupt; it might be an error of its own, so it is told.
        if (origin == SentInterrupt.Origin.INTERRUPTED_CALL)
            coroutine
                    .scheduler()
                    .report(coroutine.info() + " has ended as cancelled; the call that was interrupted threw "
                            + Causes.trace(thrown));
        return origin != SentInterrupt.Origin.ELSEWHERE;
    }

    private static Throwable withCause(Throwable thrown, Throwable cause) {
        return Causes.contains(thrown, cause) ? thrown : Causes.chained(thrown, cause);
    }
}
