package org.trueasync.internal.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.foreign.CallUnderWay;
import org.trueasync.internal.foreign.Interruption;
import org.trueasync.internal.foreign.SentInterrupt;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.jdk.VirtualThreads;

/**
 * The interrupts of a coroutine's thread: those by which a cancellation reaches JDK code that has parked the coroutine,
 * what comes of them, and those by other code.
 *
 * <p>Invariant: of the interrupts that were sent only the last one is known. Before it is sent, the wait is known to
 * end by it; so there is one interrupt for each cancellation, however often JDK code parks the coroutine meanwhile.
 */
final class JdkInterrupts {
    private final CoroutineImpl<?> coroutine;

    private @Nullable SentInterrupt sent;

    /** By other code, to be thrown at the next wait if the interrupt status is still set then. */
    private @Nullable Interruption byOther;

    /**
     * The thread was made by a thread factory: an interrupt status that is set when a wait begins ends that wait, as in
     * the JDK's own waits.
     */
    private boolean respectsStatus;

    JdkInterrupts(CoroutineImpl<?> coroutine) {
        this.coroutine = coroutine;
    }

    private ExecutionContext context() {
        return Objects.requireNonNull(coroutine.context);
    }

    // ---- sending; in a coroutine, as interrupting and taking a stack may meet locks

    /** Where JDK code has parked the coroutine, if an interrupt ends that wait; else null. */
    StackTraceElement @Nullable [] interruptibleWait() {
        Thread thread = context().thread;
        StackTraceElement[] stack = thread.getStackTrace();
        return ForeignWait.isInterruptible(thread.getState(), stack) ? stack : null;
    }

    /**
     * Interrupts the wait in JDK code.
     *
     * @param depth of what the cancellation is to end, see {@link OpenSections}
     * @param stack as {@link #interruptibleWait} has returned it
     */
    void send(AsyncCancellation reason, int depth, StackTraceElement[] stack) {
        sent = new SentInterrupt(reason, depth, stack);
        context().interrupt();
        VirtualThreads.forgetWake(context().thread);
    }

    /** Interrupts a library call, in which JDK code has parked the coroutine. */
    void interrupt(CallUnderWay call) {
        call.interrupts();
        context().interrupt();
    }

    // ---- what comes of the last one

    /** The cancellation whose interrupt has not reached the code yet, or null. */
    @Nullable
    AsyncCancellation underWay() {
        return sent != null && sent.isUnderWay() ? sent.reason : null;
    }

    /** Notes that JDK code has parked the coroutine. In the loop's frame. */
    void parked(OpenSections sections) {
        if (sent != null) sent.suspends(sections.isOpenFor(sent.depth));
    }

    /**
     * The cancellation whose interrupt was put off by JDK code that has set the interrupt status by now, or null. Asked
     * when a wait of ours begins.
     */
    @Nullable
    AsyncCancellation takePutOff(OpenSections sections) {
        if (sent == null) return null;
        sent.suspends(false);
        return sections.isOpenFor(sent.depth) && sent.takePutOff() ? sent.reason : null;
    }

    /**
     * The cancellation whose interrupt has come too late, as the JDK's wait was over before; or null. In the loop's
     * frame, before the coroutine is mounted.
     */
    @Nullable
    AsyncCancellation takeLate() {
        SentInterrupt last = sent;
        if (last == null || !last.isUnderWay()) return null;
        Thread thread = context().thread;
        if (last.arrives(thread) || byOther != null || !VirtualThreads.clearInterrupt(thread)) return null;
        sent = null;
        return last.reason;
    }

    /** True if the code that caught the interrupt has returned with the status set. */
    boolean isStatusLeftSet() {
        return sent != null && sent.isStatusLeftSet();
    }

    /**
     * Forgets the interrupt that was sent for this cancellation, and clears the status: code after the section must not
     * be interrupted by it. Null if none was sent.
     */
    @Nullable
    SentInterrupt takeFor(AsyncCancellation reason) {
        SentInterrupt last = sent;
        if (last == null || last.reason != reason) return null;
        sent = null;
        Thread.interrupted();
        return last;
    }

    /** True if the last interrupt is what has ended the coroutine. */
    boolean hasEndedBy(Throwable thrown) {
        return sent != null && hasEndedBy(sent, "it has ended as cancelled", thrown);
    }

    /**
     * True if this interrupt is what has ended the code that throws this. That is so for any error after it, except one
     * of the JVM's own. One whose type does not say that it comes from the interrupt is reported, as nobody may look
     * into the cancellation that carries it.
     */
    boolean hasEndedBy(SentInterrupt interrupt, String end, Throwable thrown) {
        if (thrown instanceof VirtualMachineError) return false;
        if (!interrupt.isNamedBy(thrown))
            coroutine
                    .loop()
                    .report(coroutine.info() + ": " + end
                            + ". After the interrupt it threw an error that does not name an interrupt as its cause:\n"
                            + Causes.trace(thrown));
        return true;
    }

    // ---- interrupts by other code

    /**
     * Handles a {@code Thread.interrupt} by other code on the coroutine's thread. A wait in JDK code handles it itself;
     * a wait of ours ends, or the next one throws.
     */
    void interrupted(Interruption interruption, OpenSections sections) {
        if (JdkWait.isBlocked(coroutine) && !coroutine.isWaitingOrQueued()) {
            // The JDK wakes it now. If its wait ignores the interrupt status, the next wait of ours does not.
            coroutine.loop().inService(() -> {
                if (!JdkWait.isParked(coroutine) || !endsJdkWait()) byOther = interruption;
            });
        } else if (!sections.isProtected() && coroutine.isWaiting()) {
            coroutine.wakeWithError(interruption);
        } else {
            byOther = interruption;
        }
    }

    private boolean endsJdkWait() {
        Thread thread = context().thread;
        return thread.getState() != Thread.State.BLOCKED
                && ForeignWait.isInterruptible(Thread.State.WAITING, thread.getStackTrace());
    }

    /** The interrupt by other code whose status is still set, or null. */
    @Nullable
    Interruption takeByOther() {
        Interruption taken = byOther;
        byOther = null;
        return taken != null && Thread.interrupted() ? taken : null;
    }

    /**
     * From now on an interrupt status that is set when a wait of ours begins ends that wait, whatever code has set it.
     */
    void respectStatus() {
        respectsStatus = true;
    }

    /** Throws if the status is set and {@link #respectStatus} was called. */
    void throwIfStatusIsSet() {
        if (respectsStatus && Thread.interrupted()) throw Interruption.before(coroutine);
    }
}
