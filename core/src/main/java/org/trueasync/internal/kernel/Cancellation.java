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
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.time.SectionLimit;
import org.trueasync.spi.ForeignCall;

/**
 * The requests to cancel one coroutine, and how far they have been delivered.
 *
 * <p>The first reason is final: it decides how the coroutine ends. The pending one has not been thrown yet. It is
 * delivered once, at the next wait that no protected section defers. A wait of ours throws it, even if the coroutine
 * has been woken with a value and has not gone on. A wait in JDK code is interrupted, at once or as soon as the
 * coroutine is parked in it. A JDK wait that ignores interrupts is left alone. So is a JDK wait that was over before
 * the interrupt came: its result is not lost.
 */
final class Cancellation {
    private final CoroutineImpl<?> coroutine;
    private @Nullable AsyncCancellation first;
    private @Nullable AsyncCancellation pending;
    /** The request that was delivered last: thrown by a wait, or sent as an interrupt. */
    private @Nullable AsyncCancellation delivered;

    private int protections;

    /** The last interrupt by which a request was delivered. */
    private @Nullable SentInterrupt interrupt;

    /**
     * The number of protected sections that were open when {@link #interrupt} was sent for a section's limit; 0 for a
     * request to the coroutine.
     */
    private int interruptDepth;

    /** The limit of the innermost section that has one. */
    private @Nullable SectionLimit limit;

    /** An interrupt by other code, to be thrown at the next wait if the interrupt status is still set then. */
    private @Nullable Interruption interruption;

    /**
     * The thread was made by a thread factory: an interrupt status that is set when a wait begins ends that wait, as in
     * the JDK's own waits.
     */
    private boolean respectsInterruptStatus;

    /** The library call that the coroutine is in; made by the first one. */
    private @Nullable CallUnderWay calls;

    /** The failures of shielded calls while a cancellation was due. */
    private @Nullable DueFailures dueFailures;

    /** Requested by a deadlock or a shutdown: protected sections do not defer it. */
    private boolean forced;

    Cancellation(CoroutineImpl<?> coroutine) {
        this.coroutine = coroutine;
    }

    boolean isRequested() {
        return first != null;
    }

    /** See {@link CoroutineImpl#hasTimeLimit}. Protected sections defer either kind of limit. */
    boolean hasTimeLimit() {
        return (limit != null && limit.mayEnd(protections))
                || (protections == 0 && coroutine.scope().hasDeadline());
    }

    // ---- requests

    /**
     * Makes an ordinary request. Changes nothing while an earlier one is still pending or on its way as an interrupt.
     */
    void request(AsyncCancellation reason) {
        if (isOnItsWay()) return;
        record(reason);
        if (protections == 0) deliver(reason);
        else notifyCall(0);
    }

    /**
     * Tells the library call of a cancellation that only this call defers.
     *
     * @param outside the number of protected sections around the section that is to be cancelled; 0 for the coroutine
     */
    private void notifyCall(int outside) {
        if (calls != null && calls.isOnlyProtection(protections, outside))
            calls.notifyOnce(coroutine.loop()::inService);
    }

    /**
     * Makes the request of a deadlock or a shutdown. Neither a protected section nor an earlier request that was caught
     * holds it up. A library call is told of it first.
     */
    void force(AsyncCancellation reason) {
        forced = true;
        if (pending == null) {
            if (isOnItsWay()) return;
            record(reason);
        }
        if (calls == null || !calls.isUnderWay() || calls.wasNotified()) deliver(Objects.requireNonNull(pending));
        else calls.notifyOnce(coroutine.loop()::inService);
    }

    /**
     * Makes the first wait throw in a coroutine that begins during a shutdown. If the coroutine returns or fails before
     * that wait, this is how it ends.
     */
    void cancelFirstWait(AsyncCancellation reason) {
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

    /** The cancellation that nothing defers: the request, or else that of a section's limit. Null if there is none. */
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
        // Also if it runs or JDK code has parked it: then it is in its own tick, about to suspend.
        else if (coroutine.isWaitingOrQueued()) endOurWait(reason);
        else if (JdkPark.isBlocked(coroutine)) interruptWait(reason);
        // else it is due at the next wait
    }

    private void endOurWait(AsyncCancellation reason) {
        coroutine.overrideOutcome(reason);
        if (forced) interruptHandlers();
    }

    /**
     * Interrupts JDK code that holds up the coroutine's switch handlers or microtasks. Only a forced cancellation does
     * that.
     */
    private void interruptHandlers() {
        if (JdkPark.isBlocked(coroutine))
            Objects.requireNonNull(coroutine.context).interrupt();
    }

    /**
     * Leaves the error in place with which the coroutine has already been woken. That drops an ordinary request, unless
     * a section's limit is due.
     */
    private void yieldToError() {
        if (forced) interruptHandlers();
        else if (limit == null || limit.due(protections) == null) pending = null;
    }

    /**
     * Interrupts the coroutine, which JDK code has parked in a library call. In a coroutine, as this may meet a lock.
     */
    private void interruptCall(CallUnderWay call) {
        call.interrupts();
        Objects.requireNonNull(coroutine.context).interrupt();
    }

    /**
     * Interrupts a wait in JDK code, if an interrupt ends it. In a coroutine, as interrupting and taking a stack may
     * meet locks.
     */
    private void interruptWait(AsyncCancellation reason) {
        if (calls != null && calls.isUnderWay()) {
            interruptCall(calls);
            return;
        }
        ExecutionContext context = Objects.requireNonNull(coroutine.context);
        StackTraceElement[] stack = context.thread.getStackTrace();
        if (!ForeignWait.isInterruptible(context.thread.getState(), stack)) return;
        interruptDepth = limitWith(reason) == null ? 0 : protections;
        interrupt = new SentInterrupt(take(reason), stack);
        context.interrupt();
        VirtualThreads.forgetWake(context.thread);
    }

    /** Has the service look for what is due, after JDK code has parked the coroutine. In the loop's frame. */
    void parked() {
        if (interrupt != null) interrupt.suspends(protections <= interruptDepth);
        if (isDueInJdkCode()) coroutine.loop().inService(this::interruptIfDue);
    }

    private boolean isDueInJdkCode() {
        return due() != null && !isInCall() && !coroutine.refusesWaits() && !coroutine.isWaitingOrQueued();
    }

    private void interruptIfDue() {
        if (JdkPark.isBlocked(coroutine) && isDueInJdkCode()) interruptWait(Objects.requireNonNull(due()));
    }

    /**
     * Makes the request pending again if the JDK's wait was over before the interrupt came. In the loop's frame, before
     * the coroutine is mounted.
     */
    void returnsFromJdk() {
        SentInterrupt sent = interrupt;
        if (sent == null || !sent.isUnderWay()) return;
        Thread thread = Objects.requireNonNull(coroutine.context).thread;
        if (sent.arrives(thread) || interruption != null || !VirtualThreads.clearInterrupt(thread)) return;
        interrupt = null;
        makeDueAgain(sent.reason);
    }

    // ---- interrupts by others

    /**
     * Handles a {@code Thread.interrupt} by other code on the coroutine's thread. A wait in JDK code handles it itself;
     * a wait of ours ends, or the next one throws.
     */
    void interrupted(Interruption byOther) {
        if (JdkPark.isBlocked(coroutine) && !coroutine.isWaitingOrQueued()) {
            // The JDK wakes it now. If its wait ignores the interrupt status, the next wait of ours does not.
            coroutine.loop().inService(() -> {
                if (!JdkPark.isParked(coroutine) || !endsJdkWait()) interruption = byOther;
            });
        } else if (protections == 0 && coroutine.isWaiting()) {
            coroutine.wakeWithError(byOther);
        } else {
            interruption = byOther;
        }
    }

    /**
     * From now on an interrupt status that is set when a wait of ours begins ends that wait, whatever code has set it.
     */
    void respectInterruptStatus() {
        respectsInterruptStatus = true;
    }

    private boolean endsJdkWait() {
        Thread thread = Objects.requireNonNull(coroutine.context).thread;
        return thread.getState() != Thread.State.BLOCKED
                && ForeignWait.isInterruptible(Thread.State.WAITING, thread.getStackTrace());
    }

    // ---- delivery

    /** Throws what is due. Called where the coroutine may suspend. */
    void throwIfDue() {
        AsyncCancellation due = takeDue();
        if (due != null) throw due;
        // Not after a request: our own interrupt may have left the status set.
        if (respectsInterruptStatus && first == null && protections == 0 && Thread.interrupted())
            throw Interruption.before(coroutine);
    }

    private @Nullable AsyncCancellation takeDue() {
        AsyncCancellation due = due();
        if (due != null) return take(due);
        if (interrupt != null) {
            interrupt.suspends(false);
            if (protections <= interruptDepth && interrupt.takePutOff()) return interrupt.reason;
        }
        if (protections > 0) return null;
        Interruption byOther = interruption;
        interruption = null;
        return byOther != null && Thread.interrupted() ? byOther : null;
    }

    /** Notes that a wait has thrown this. */
    void delivered(Throwable thrown) {
        if (thrown instanceof Interruption) Thread.interrupted();
        SectionLimit ofSection = limitWith(thrown);
        if (ofSection != null) ofSection.thrown();
        if (pending != thrown) return;
        delivered = pending;
        pending = null;
    }

    /**
     * Makes a request, or the end of a section's time, due again, because the code to which it was thrown has succeeded
     * nevertheless. False if this was neither.
     */
    boolean makeDueAgain(Throwable thrown) {
        SectionLimit ofSection = limitWith(thrown);
        if (ofSection != null) ofSection.takenBack();
        if (ofSection != null) return true;
        if (thrown != delivered) return false;
        if (pending == null) pending = delivered;
        return true;
    }

    /**
     * Runs a section in which no cancellation is thrown, except that of a deadlock or a shutdown. One that is due
     * already is thrown before the outermost section begins. One that comes during the section is due at the first wait
     * after it, so that the section's value is not lost. If the section failed, the cancellation is thrown in place of
     * the error, which it carries.
     */
    <V> V protect(Callable<V> section) {
        AsyncCancellation due = protections == (limit == null ? 0 : limit.protections) ? takeDue() : null;
        if (due != null) throw due;
        return shield(section);
    }

    /** As {@link #protect}, for what has to be done even if a cancellation is due. */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    <V> V shield(Callable<V> section) {
        // An interrupt from before the section must not end a JDK wait in it.
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

    /**
     * Takes the cancellation that replaces the error of a section or call which had deferred it, and attaches the error
     * to it. Null if there is none.
     */
    private @Nullable AsyncCancellation takeDeferred(Throwable thrown) {
        AsyncCancellation deferred = protections == 0 ? due() : limit == null ? null : limit.due(protections);
        if (deferred == null || deferred == thrown) return null;
        take(deferred);
        Causes.joined(deferred, thrown);
        return deferred;
    }

    // ---- sections with a limit

    /**
     * Runs a section, and cancels it when the time is over. The coroutine itself is not cancelled: it goes on where
     * this throws.
     *
     * @param length >= 0; with 0 the section is not begun
     * @throws org.trueasync.AsyncTimeoutException if the section has ended because the time was over, and not if it has
     *     succeeded nevertheless; or if {@code length} is 0
     */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    <V> V within(Duration length, Callable<V> section) {
        if (length.isZero()) throw SectionLimit.notBegun();
        var mine = new SectionLimit(
                this::limitExpired,
                limit,
                protections,
                length,
                coroutine.loop().timers.oneShot(length));
        limit = mine;
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        limit = mine.outer;
        boolean notified = mine.wasThrown();
        mine.end();
        if (!mine.hasExpired()) {
            if (thrown == null) return value;
            throw Throwing.sneaky(thrown);
        }
        SentInterrupt sent = takeInterruptOf(mine);
        if (thrown == null) return value;
        if (isEndOf(mine, thrown, notified, sent)) {
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

    /**
     * Takes the interrupt that was sent for the limit, and clears the status: code after the section must not be
     * interrupted by it. Null if none was sent.
     */
    private @Nullable SentInterrupt takeInterruptOf(SectionLimit over) {
        SentInterrupt sent = interrupt;
        if (sent == null || sent.reason != over.reason()) return null;
        interrupt = null;
        Thread.interrupted();
        return sent;
    }

    private boolean isEndOf(SectionLimit over, Throwable thrown, boolean notified, @Nullable SentInterrupt sent) {
        if (thrown == over.reason() || (dueFailures != null && dueFailures.end(over.reason(), thrown))) return true;
        if (!notified || limitWith(thrown) != null) return false;
        // If the coroutine itself was cancelled, this is that cancellation.
        if (thrown instanceof AsyncCancellation) return first == null;
        return sent != null && isEndBy(sent, "a section has ended by its time limit", thrown);
    }

    /** Called when the time of a section is over. In the loop's frame. */
    private void limitExpired(SectionLimit over) {
        coroutine.loop().inService(() -> {
            if (!over.expire(coroutine.trace())) return;
            AsyncCancellation due = due();
            if (due == over.reason()) deliver(due);
            else notifyCall(over.protections);
        });
    }

    // ---- library calls that can be cancelled

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
     * Begins a shielded call. The call is told of a cancellation that is due already, which stays due after the call.
     *
     * @return true if a cancellation is due
     */
    boolean beginShielded(ForeignCall call) {
        AsyncCancellation due = due();
        boolean outermost = begin(call, true);
        if (due == null) return false;
        if (!outermost) return true;
        SectionLimit ofSection = limitWith(due);
        if (ofSection != null) notifyCall(ofSection.protections);
        else if (forced) Objects.requireNonNull(calls).notifyOnce(coroutine.loop()::inService);
        else notifyCall(0);
        return true;
    }

    /**
     * Ends a call; returns what its caller is to throw, or null. If the call failed after a cancellation was requested,
     * that is the cancellation, which carries the failure as suppressed. A shielded call throws its own failure:
     * clean-up code may swallow that, but must not swallow the cancellation.
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

    /** Returns the error with which the coroutine ends, given what its body threw; null for none. */
    @Nullable
    Throwable outcome(@Nullable Throwable thrown) {
        AsyncCancellation reason = first;
        if (reason == null) return thrown;
        if (thrown == null)
            return pending != null || (interrupt != null && interrupt.isStatusLeftSet()) ? reason : null;
        if (thrown instanceof AsyncCancellation) return reason;
        if ((dueFailures != null && dueFailures.endOfRequest(thrown))
                || (interrupt != null && isEndBy(interrupt, "it has ended as cancelled", thrown))) {
            Causes.joined(reason, thrown);
            return reason;
        }
        return withCause(thrown, reason);
    }

    /**
     * True if an interrupt of ours is what has ended the code that throws this. That is so for any error after it,
     * except one of the JVM's own. One whose type does not say that it comes from the interrupt is reported, as nobody
     * may look into the cancellation that carries it.
     */
    private boolean isEndBy(SentInterrupt sent, String end, Throwable thrown) {
        if (thrown instanceof VirtualMachineError) return false;
        if (!sent.isNamedBy(thrown))
            coroutine.loop().report(coroutine.info() + ": " + end
                    + ". After the interrupt it threw an error that does not name an interrupt as its cause:\n"
                    + Causes.trace(thrown));
        return true;
    }

    private static Throwable withCause(Throwable thrown, Throwable cause) {
        return Causes.contains(thrown, cause) ? thrown : Causes.chained(thrown, cause);
    }
}
