package org.trueasync.internal.kernel;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.foreign.CallUnderWay;
import org.trueasync.internal.foreign.DueFailures;
import org.trueasync.internal.time.HeapTimer;
import org.trueasync.internal.time.SectionLimit;
import org.trueasync.spi.ForeignCall;

/**
 * What defers the cancellations of one coroutine: the protected sections and library calls that it is inside of. Also
 * the sections with a time limit.
 *
 * <p>The <i>depth</i> of code is how many protected sections and library calls are around it. A cancellation is to end
 * something of a certain depth: the coroutine, whose depth is 0, or a section with a limit. It is deferred while the
 * coroutine is deeper than that.
 *
 * <p>Invariant: what began last ends first. So what is around a section with a limit stays there while the section
 * goes on.
 */
final class OpenSections {
    /** The depth of the code that the coroutine runs now. */
    private int depth;

    /** The limit of the innermost section that has one. */
    private @Nullable SectionLimit limit;

    /** The library call that the coroutine is in; made by the first one. */
    private @Nullable CallUnderWay calls;

    /** The failures of shielded calls while a cancellation was due. */
    private @Nullable DueFailures dueFailures;

    boolean isProtected() {
        return depth > 0;
    }

    /** True if nothing has begun that would defer the end of something of this depth. */
    boolean isOpenFor(int depthOfTheEnded) {
        return depth <= depthOfTheEnded;
    }

    // ---- protected sections

    /** True if nothing defers the end of what is around: the section with a limit, or the coroutine. */
    boolean isOutermost() {
        return depth == (limit == null ? 0 : limit.depth);
    }

    /**
     * Begins a protected section.
     *
     * @return to be given to {@link #leave}
     */
    boolean enter() {
        // An interrupt from before the section must not end a JDK wait in it.
        return depth++ == 0 && Thread.interrupted();
    }

    void leave(boolean interruptedBefore) {
        depth--;
        if (interruptedBefore) Thread.currentThread().interrupt();
    }

    // ---- sections with a limit

    /**
     * Begins a section with a limit.
     *
     * @param expired called when the time is over
     */
    SectionLimit begin(Duration length, HeapTimer timer, Consumer<SectionLimit> expired) {
        SectionLimit begun = new SectionLimit(expired, limit, depth, length, timer);
        limit = begun;
        return begun;
    }

    void end(SectionLimit innermost) {
        limit = innermost.outer;
    }

    /** The cancellation of the outermost section whose time is over and whose end nothing defers; or null. */
    @Nullable
    AsyncCancellation dueLimit() {
        return limit == null ? null : limit.due(depth);
    }

    /** The limit with this cancellation, or null. */
    @Nullable
    SectionLimit limitWith(Throwable reason) {
        return limit == null ? null : limit.with(reason);
    }

    /** The depth of what this cancellation is to end. */
    int depthOf(Throwable reason) {
        SectionLimit ofSection = limitWith(reason);
        return ofSection == null ? 0 : ofSection.depth;
    }

    /** True if the end of a section's time may end a wait. */
    boolean mayEndByLimit() {
        return limit != null && limit.mayEnd(depth);
    }

    /** The time that the limits of sections leave, in nanoseconds; {@link SectionLimit#NONE} for no limit. */
    long remaining() {
        return limit == null ? SectionLimit.NONE : limit.remaining(depth);
    }

    // ---- library calls

    boolean isInCall() {
        return calls != null && calls.isUnderWay();
    }

    /** The call that it is in, or null. */
    @Nullable
    CallUnderWay call() {
        return isInCall() ? calls : null;
    }

    /**
     * Begins a library call.
     *
     * @return false if it is in another call already, which stands for both
     */
    boolean begin(ForeignCall call, boolean shielded) {
        depth++;
        if (calls == null) calls = new CallUnderWay();
        if (calls.isUnderWay()) return false;
        calls.begin(call, depth, shielded);
        return true;
    }

    /**
     * Ends a library call. Only if {@link #isInCall}.
     *
     * @return true if it was the outermost one, and shielded
     */
    boolean endCall() {
        return Objects.requireNonNull(calls).end(depth--);
    }

    /**
     * Tells the library call of a cancellation that only this call defers.
     *
     * @param depthOfTheEnded of what is to be cancelled
     */
    void tellCall(int depthOfTheEnded, Consumer<Runnable> service) {
        if (calls != null && calls.aloneDefers(depth, depthOfTheEnded)) calls.notifyOnce(service);
    }

    /**
     * Tells the library call of a cancellation, whatever else defers that.
     *
     * @return false if there is no call, or if it has been told before
     */
    boolean tellCallAnyway(Consumer<Runnable> service) {
        CallUnderWay call = call();
        if (call == null || call.wasNotified()) return false;
        call.notifyOnce(service);
        return true;
    }

    /** Notes the failure of a shielded call while this cancellation was due. */
    void noteFailure(AsyncCancellation due, Throwable failure) {
        if (dueFailures == null || dueFailures.due != due) dueFailures = new DueFailures(due, limitWith(due) == null);
        dueFailures.add(failure);
    }

    /** True if a section that throws this has ended by its limit, as a shielded call has failed. */
    boolean isFailureOf(SectionLimit over, Throwable thrown) {
        return dueFailures != null && dueFailures.end(over.reason(), thrown);
    }

    /** True if a coroutine that throws this has ended as it was asked to, as a shielded call has failed. */
    boolean isFailureOfRequest(Throwable thrown) {
        return dueFailures != null && dueFailures.endOfRequest(thrown);
    }
}
