package org.trueasync.internal.foreign;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.jdk.ThreadLocks;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.site.CodeSites;

/**
 * The interrupt by which a cancellation has reached a coroutine in JDK code, and what came of it.
 *
 * <p>The interrupt status does not tell whether the code has noticed the interrupt: library code that has noticed it
 * sets the status again, and socket I/O leaves it set. But the stack at the moment of the interrupt is known. Compared
 * with a later stack it tells two things: whether the same wait was simply begun again, and whether an error comes from
 * the call that was interrupted.
 */
public final class SentInterrupt {
    /** The cancellation that was sent as this interrupt. */
    public final AsyncCancellation reason;

    /** Where the coroutine stood, innermost first. */
    private final StackTraceElement[] stack;

    private final boolean socketIo;

    /** The coroutine has not run since. */
    private boolean underWay = true;

    /** The coroutine has not suspended since. */
    private boolean fresh = true;

    private boolean putOff;

    /**
     * An interrupt that is sent now.
     *
     * @param reason the cancellation
     * @param stack where the coroutine stands, innermost first
     */
    public SentInterrupt(AsyncCancellation reason, StackTraceElement[] stack) {
        this.reason = reason;
        this.stack = stack;
        this.socketIo = ForeignWait.isSocketIo(stack);
    }

    /** True until the coroutine runs again. */
    public boolean isUnderWay() {
        return underWay;
    }

    /**
     * Called when the coroutine is about to run again.
     *
     * @return false if the wait was over before the interrupt came: then the wait returns normally, and all that is
     *     left of the interrupt is the status
     */
    public boolean arrives(Thread thread) {
        underWay = false;
        // The socket is closed by now.
        if (socketIo) return true;
        return !VirtualThreads.isWoken(thread, ForeignWait.isObjectWait(stack)) && !ThreadLocks.isSignalled(thread);
    }

    /** True at the first suspension after the interrupt, false from then on. */
    public boolean takeFresh() {
        boolean first = fresh;
        fresh = false;
        return first;
    }

    /**
     * Notes that the coroutine has parked again, as the first thing after the interrupt. If the stack is the same, the
     * code waits "uninterruptibly": it puts the interrupt off and sets the status when its wait is over.
     */
    public void parkedAgain(StackTraceElement[] now) {
        putOff = Arrays.equals(stack, now);
    }

    /**
     * True if the code that had put the interrupt off has set the status by now. True once only; clears the status. In
     * the coroutine's thread.
     */
    public boolean takePutOff() {
        boolean wasPutOff = putOff;
        putOff = false;
        return wasPutOff && Thread.interrupted();
    }

    /**
     * True if the code that caught the interrupt has returned with the status set: by convention that says "I was
     * interrupted". In the coroutine's thread.
     */
    public boolean isStatusLeftSet() {
        return !socketIo && Thread.currentThread().isInterrupted();
    }

    /** Where an error comes from that has left the coroutine's body. */
    public enum Origin {
        /** From the interrupt: its class says so, or that of one of its causes. */
        INTERRUPT,
        /** Its class does not say so, but it was made inside of the call that was interrupted. */
        INTERRUPTED_CALL,
        /** From other code. */
        ELSEWHERE
    }

    /** Where an error comes from that has left the coroutine's body. */
    public Origin originOf(Throwable thrown) {
        if (Causes.any(thrown, this::isInterrupt)) return Origin.INTERRUPT;
        if (!Causes.any(thrown, this::isMadeInTheCall)) return Origin.ELSEWHERE;
        return thrown instanceof CancellationException ? Origin.INTERRUPT : Origin.INTERRUPTED_CALL;
    }

    private boolean isInterrupt(Throwable t) {
        return t instanceof InterruptedException
                || t instanceof ClosedByInterruptException
                || t instanceof FileLockInterruptionException
                || (t instanceof InterruptedIOException && !(t instanceof SocketTimeoutException))
                || (socketIo && (t instanceof SocketException || t instanceof ClosedChannelException));
    }

    /**
     * True if the error was made inside of the interrupted call. Then both stacks have the same outer frames, the
     * program's frame with the call among them, and that frame stands at the same line in both. An error from the
     * {@code finally} block of that frame was made at another line.
     */
    private boolean isMadeInTheCall(Throwable t) {
        StackTraceElement[] made = traceOf(t);
        if (made == null) return false;
        int here = bodyIn(stack);
        int there = bodyIn(made);
        boolean program = false;
        while (--here >= 0 && --there >= 0 && isSame(stack[here], made[there]))
            program |= CodeSites.isUserCode(made[there].getClassName());
        return program && here >= 0 && there >= 0;
    }

    /** Null if the error's own {@code getStackTrace} throws: it may be code of the program. */
    private static StackTraceElement @Nullable [] traceOf(Throwable t) {
        try {
            return t.getStackTrace();
        } catch (Throwable e) {
            return null;
        }
    }

    private static int bodyIn(StackTraceElement[] trace) {
        for (int i = trace.length - 1; i >= 0; i--) {
            if (CodeSites.isBody(trace[i])) return i;
        }
        return -1;
    }

    private static boolean isSame(StackTraceElement a, StackTraceElement b) {
        return a.getLineNumber() == b.getLineNumber()
                && a.getMethodName().equals(b.getMethodName())
                && a.getClassName().equals(b.getClassName());
    }
}
