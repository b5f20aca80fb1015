package org.trueasync.internal.kernel;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.ChannelException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.foreign.CallUnderWay;
import org.trueasync.internal.foreign.Interruption;
import org.trueasync.internal.foreign.SentInterrupt;
import org.trueasync.internal.time.SectionLimit;
import org.trueasync.spi.ForeignCall;

/**
 * The requests to cancel one coroutine, and how they are delivered: {@link OpenSections} defer them,
 * {@link JdkInterrupts} take them to JDK code.
 *
 * <p>The first reason is final: it decides how the coroutine ends. The pending one has not been thrown yet. It is
 * delivered once, at the next wait that nothing defers. A wait of ours throws it, even if the coroutine has been woken
 * with a value and has not gone on. A wait in JDK code is interrupted, at once or as soon as the coroutine is parked in
 * it. A JDK wait that ignores interrupts is left alone. So is a JDK wait that was over before the interrupt came: its
 * result is not lost.
 *
 * <pre>
 *  asked     -> pending    unless another one is pending, or on its way as an interrupt
 *  pending   -> delivered  a wait has thrown it, or an interrupt was sent for it
 *  delivered -> pending    the call that threw it has succeeded nevertheless, or the interrupt has come too late
 * </pre>
 *
 * The end of a section's time is a request too, but one of its {@link SectionLimit}: nothing of it is kept here.
 */
final class Cancellation {
    private final CoroutineImpl<?> coroutine;
    private @Nullable AsyncCancellation first;
    private @Nullable AsyncCancellation pending;
    /** The request that was delivered last. */
    private @Nullable AsyncCancellation delivered;

    /** Requested by a deadlock or a shutdown: nothing defers it. */
    private boolean forced;

    private final OpenSections sections = new OpenSections();
    /** Made by the first interrupt. */
    private @Nullable JdkInterrupts interrupts;

    Cancellation(CoroutineImpl<?> coroutine) {
        this.coroutine = coroutine;
    }

    private JdkInterrupts interrupts() {
        JdkInterrupts made = interrupts;
        if (made == null) interrupts = made = new JdkInterrupts(coroutine);
        return made;
    }

    boolean isRequested() {
        return first != null;
    }

    /** See {@link CoroutineImpl#hasTimeLimit}. Protected sections defer either kind of limit. */
    boolean hasTimeLimit() {
        return sections.mayEndByLimit()
                || (!sections.isProtected() && coroutine.scope().hasDeadline());
    }

    /** See {@link CoroutineImpl#remaining}. */
    long remaining() {
        return sections.isProtected()
                ? sections.remaining()
                : Math.min(sections.remaining(), coroutine.scope().remaining());
    }

    // ---- requests

    /**
     * Makes an ordinary request. Changes nothing while an earlier one is still pending or on its way as an interrupt.
     */
    void request(AsyncCancellation reason) {
        if (isOnItsWay()) return;
        record(reason);
        if (sections.isProtected()) sections.tellCall(0, coroutine.loop()::inService);
        else deliver(reason);
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
        if (!sections.tellCallAnyway(coroutine.loop()::inService)) deliver(Objects.requireNonNull(pending));
    }

    /**
     * Makes the first wait throw in a coroutine that begins during a shutdown. A coroutine that ends before it waits
     * was not cancelled: its own value or error is its outcome. So the request counts only once it was thrown.
     */
    void cancelFirstWait(AsyncCancellation reason) {
        forced = true;
        pending = reason;
    }

    private boolean isOnItsWay() {
        if (pending != null) return true;
        AsyncCancellation underWay = interrupts == null ? null : interrupts.underWay();
        return underWay != null && sections.limitWith(underWay) == null;
    }

    private void record(AsyncCancellation reason) {
        pending = reason;
        if (first == null) first = reason;
    }

    // ---- what is due

    /** The cancellation that nothing defers: the request, or else that of a section's limit. Null if there is none. */
    private @Nullable AsyncCancellation due() {
        return isPendingDue() ? pending : sections.dueLimit();
    }

    private boolean isPendingDue() {
        return pending != null && (forced || !sections.isProtected());
    }

    private AsyncCancellation take(AsyncCancellation due) {
        SectionLimit ofSection = sections.limitWith(due);
        if (ofSection != null) ofSection.thrown();
        else takePending();
        return due;
    }

    private void takePending() {
        delivered = pending;
        pending = null;
        if (first == null) first = delivered;
    }

    /**
     * Takes the cancellation that replaces the error of a section or call which had deferred it, and attaches the error
     * to it. Null if there is none.
     */
    private @Nullable AsyncCancellation takeDeferred(Throwable thrown) {
        AsyncCancellation deferred = sections.isProtected() ? sections.dueLimit() : due();
        if (deferred == null || deferred == thrown) return null;
        take(deferred);
        Causes.joined(deferred, thrown);
        return deferred;
    }

    // ---- delivery from outside; in a coroutine, as interrupts may meet locks

    private void deliver(AsyncCancellation reason) {
        if (!coroutine.isStarted()) coroutine.status = WaitState.IGNORED; // its turn will end it instead of running it
        else if (coroutine.isWokenWithError()) yieldToError();
        // Also if it runs or JDK code has parked it: then it is in its own tick, about to suspend.
        else if (coroutine.isWaitingOrQueued()) endOurWait(reason);
        else if (JdkWait.isBlocked(coroutine) && (forced || !coroutine.refusesWaits())) interruptWait(reason);
        // Else it is due at the next wait, also if JDK code has parked a switch handler: that would swallow it.
    }

    private void endOurWait(AsyncCancellation reason) {
        coroutine.overrideOutcome(reason);
        if (forced) interruptHandlers();
    }

    /** Interrupts JDK code that holds up the coroutine's switch handlers or microtasks, if any does. */
    private void interruptHandlers() {
        if (JdkWait.isBlocked(coroutine))
            Objects.requireNonNull(coroutine.context).interrupt();
    }

    /**
     * Leaves the error in place with which the coroutine has already been woken. That drops an ordinary request, unless
     * a section's limit is due.
     */
    private void yieldToError() {
        if (forced) interruptHandlers();
        else if (sections.dueLimit() == null) takePending();
    }

    /** Interrupts a wait in JDK code, if an interrupt ends it. */
    private void interruptWait(AsyncCancellation reason) {
        CallUnderWay call = sections.call();
        if (call != null) {
            interrupts().interrupt(call);
            return;
        }
        StackTraceElement[] stack = interrupts().interruptibleWait();
        if (stack == null) return;
        int depth = sections.depthOf(reason);
        interrupts().send(take(reason), depth, stack);
    }

    /** Has the service look for what is due, after JDK code has parked the coroutine. In the loop's frame. */
    void parked() {
        if (interrupts != null) interrupts.parked(sections);
        if (isDueInJdkCode()) coroutine.loop().inService(this::interruptIfDue);
    }

    private boolean isDueInJdkCode() {
        return due() != null && !sections.isInCall() && !coroutine.refusesWaits() && !coroutine.isWaitingOrQueued();
    }

    private void interruptIfDue() {
        if (JdkWait.isBlocked(coroutine) && isDueInJdkCode()) interruptWait(Objects.requireNonNull(due()));
    }

    /**
     * Makes the request pending again if the JDK's wait was over before the interrupt came. In the loop's frame, before
     * the coroutine is mounted.
     */
    void returnsFromJdk() {
        AsyncCancellation late = interrupts == null ? null : interrupts.takeLate();
        if (late != null) makeDueAgain(late);
    }

    /** See {@link JdkInterrupts#interrupted}. */
    void interrupted(Interruption byOther) {
        interrupts().interrupted(byOther, sections);
    }

    /** See {@link JdkInterrupts#respectStatus}. */
    void respectInterruptStatus() {
        interrupts().respectStatus();
    }

    // ---- delivery where the coroutine may suspend

    /** Throws what is due. Called where the coroutine may suspend. */
    void throwIfDue() {
        AsyncCancellation due = takeDue();
        if (due != null) throw due;
        // Not after a request: our own interrupt may have left the status set.
        if (interrupts != null && first == null && !sections.isProtected()) interrupts.throwIfStatusIsSet();
    }

    private @Nullable AsyncCancellation takeDue() {
        AsyncCancellation due = due();
        if (due != null) return take(due);
        if (interrupts == null) return null;
        AsyncCancellation putOff = interrupts.takePutOff(sections);
        return putOff != null || sections.isProtected() ? putOff : interrupts.takeByOther();
    }

    /** Notes that a wait has thrown this. */
    void delivered(Throwable thrown) {
        if (thrown instanceof Interruption) Thread.interrupted();
        SectionLimit ofSection = sections.limitWith(thrown);
        if (ofSection != null) ofSection.thrown();
        if (pending == thrown) takePending();
    }

    /**
     * Makes a request, or the end of a section's time, due again, because the code to which it was thrown has succeeded
     * nevertheless. False if this was neither.
     */
    boolean makeDueAgain(Throwable thrown) {
        SectionLimit ofSection = sections.limitWith(thrown);
        if (ofSection != null) ofSection.takenBack();
        if (ofSection != null) return true;
        if (thrown != delivered) return false;
        if (pending == null) pending = delivered;
        return true;
    }

    // ---- protected sections

    /**
     * Runs a section in which no cancellation is thrown, except that of a deadlock or a shutdown. One that is due
     * already is thrown before the outermost section begins. One that comes during the section is due at the first wait
     * after it, so that the section's value is not lost. If the section failed, the cancellation is thrown in place of
     * the error, which it carries.
     */
    <V> V protect(Callable<V> section) {
        AsyncCancellation due = sections.isOutermost() ? takeDue() : null;
        if (due != null) throw due;
        return shield(section);
    }

    /** As {@link #protect}, for what has to be done even if a cancellation is due. */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    <V> V shield(Callable<V> section) {
        boolean interruptedBefore = sections.enter();
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        sections.leave(interruptedBefore);
        if (thrown == null) return value;
        AsyncCancellation deferred = takeDeferred(thrown);
        throw Throwing.sneaky(deferred == null ? thrown : deferred);
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
        SectionLimit mine = sections.begin(length, coroutine.loop().timers.oneShot(length), this::limitExpired);
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        sections.end(mine);
        boolean notified = mine.wasThrown();
        mine.end();
        SentInterrupt sent = mine.hasExpired() && interrupts != null ? interrupts.takeFor(mine.reason()) : null;
        if (thrown == null) return value;
        throw Throwing.sneaky(mine.hasExpired() ? afterLimit(mine, thrown, notified, sent) : thrown);
    }

    /** What a section throws in place of this error, as its time was over when it ended. */
    private Throwable afterLimit(SectionLimit over, Throwable thrown, boolean notified, @Nullable SentInterrupt sent) {
        if (!isEndOf(over, thrown, notified, sent))
            return thrown instanceof AsyncCancellation ? thrown : withCause(thrown, over.reason());
        AsyncTimeoutException timeout = over.timeout(thrown);
        if (!isPendingDue()) return timeout;
        // The coroutine itself was cancelled meanwhile, and the section's value is lost anyway.
        AsyncCancellation own = take(Objects.requireNonNull(pending));
        Causes.joined(own, timeout);
        return own;
    }

    private boolean isEndOf(SectionLimit over, Throwable thrown, boolean notified, @Nullable SentInterrupt sent) {
        if (thrown == over.reason() || sections.isFailureOf(over, thrown)) return true;
        if (!notified || sections.limitWith(thrown) != null) return false;
        // If the coroutine itself was cancelled, this is that cancellation.
        if (thrown instanceof AsyncCancellation) return first == null;
        return sent != null && interrupts().hasEndedBy(sent, "a section has ended by its time limit", thrown);
    }

    /** Called when the time of a section is over. In the loop's frame. */
    private void limitExpired(SectionLimit over) {
        coroutine.loop().inService(() -> {
            if (!over.expire(coroutine.trace())) return;
            AsyncCancellation due = due();
            if (due == over.reason()) deliver(due);
            else sections.tellCall(over.depth, coroutine.loop()::inService);
        });
    }

    // ---- library calls that can be cancelled

    void begin(ForeignCall call) {
        sections.begin(call, false);
    }

    /**
     * Begins a shielded call. The call is told of a cancellation that is due already, which stays due after the call.
     *
     * @return true if a cancellation is due
     */
    boolean beginShielded(ForeignCall call) {
        AsyncCancellation due = due();
        boolean outermost = sections.begin(call, true);
        if (due == null) return false;
        if (!outermost) return true;
        if (forced && sections.limitWith(due) == null) sections.tellCallAnyway(coroutine.loop()::inService);
        else sections.tellCall(sections.depthOf(due), coroutine.loop()::inService);
        return true;
    }

    /**
     * Ends a call; returns what its caller is to throw, or null. If the call failed after a cancellation was requested,
     * that is the cancellation, which carries the failure as suppressed. A shielded call throws its own failure:
     * clean-up code may swallow that, but must not swallow the cancellation.
     */
    @Nullable
    Throwable end(@Nullable Throwable thrown) {
        if (!sections.isInCall())
            throw new IllegalStateException("ForeignCalls.end without a begin before it: " + coroutine.info());
        boolean shielded = sections.endCall();
        if (thrown == null) return null;
        if (shielded) {
            AsyncCancellation due = due();
            if (due != null) sections.noteFailure(due, thrown);
            return thrown;
        }
        AsyncCancellation deferred = takeDeferred(thrown);
        if (deferred == null) return thrown;
        FailureText.origin(coroutine).attachTo(thrown); // the cancellation has ended the call: it is not to be told
        return deferred;
    }

    /** See {@link ForeignCall#text}. */
    @Nullable
    String callText() {
        CallUnderWay call = sections.call();
        return call == null ? null : call.text();
    }

    void interruptForeignCall() {
        CallUnderWay call = sections.call();
        if (call != null && JdkWait.isBlocked(coroutine)) interrupts().interrupt(call);
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
            return pending != null || (interrupts != null && interrupts.isStatusLeftSet()) ? reason : null;
        if (thrown instanceof AsyncCancellation || Causes.any(thrown, this::isEndOfScope)) {
            Causes.handOn(thrown, reason);
            return reason;
        }
        if (sections.isFailureOfRequest(thrown) || (interrupts != null && interrupts.hasEndedBy(thrown))) {
            FailureText.origin(coroutine).attachTo(thrown);
            Causes.joined(reason, thrown);
            return reason;
        }
        return withCause(thrown, reason);
    }

    /** True for an error that says the same as a request: a channel has ended, by what has cancelled the coroutine. */
    private boolean isEndOfScope(Throwable error) {
        Throwable by = error instanceof ChannelException ? Causes.cause(error) : null;
        return by != null && (by == first || by == pending || by == delivered);
    }

    private static Throwable withCause(Throwable thrown, Throwable cause) {
        return Causes.contains(thrown, cause) ? thrown : Causes.chained(thrown, cause);
    }
}
