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
 * The interrupt that a cancellation was to a coroutine in JDK code, and what has come of it.
 *
 * <p>The interrupt status tells nothing: library code sets it again when it has noticed, and socket I/O leaves it set. What is known is the stack at
 * the moment of the interrupt. Two things follow from it: whether the wait was simply begun again, and whether an error was made by the call
 * that was interrupted.
 */
public final class SentInterrupt {
    /** What it stands for. */
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
     * Sent now.
     *
     * @param reason what it stands for
     * @param stack where the coroutine stands, innermost first
     */
    public SentInterrupt(AsyncCancellation reason, StackTraceElement[] stack) {
        this.reason = reason;
        this.stack = stack;
        this.socketIo = ForeignWait.isSocketIo(stack);
    }

    /** The coroutine has not run since. */
    public boolean isUnderWay() {
        return underWay;
    }

    /**
     * The coroutine is about to run again.
     *
     * @return false if what it waits for has come in between: its wait returns, and would but set the status again
     */
    public boolean arrives(Thread thread) {
        underWay = false;
        // The socket is closed by now.
        if (socketIo) return true;
        return !VirtualThreads.isWoken(thread, ForeignWait.isObjectWait(stack)) && !ThreadLocks.isSignalled(thread);
    }

    /** True, once, at the first suspension after it. */
    public boolean takeFresh() {
        boolean first = fresh;
        fresh = false;
        return first;
    }

    /**
     * The coroutine is parked again, before anything else. If that is in the same place, the interrupt was put off: code that waits "uninterruptibly" sets the
     * status at its end.
     */
    public void parkedAgain(StackTraceElement[] now) {
        putOff = Arrays.equals(stack, now);
    }

    /** True, once, if the code that put it off says now that it stands. In the coroutine's thread. */
    public boolean takePutOff() {
        boolean wasPutOff = putOff;
        putOff = false;
        return wasPutOff && Thread.interrupted();
    }

    /** True if who caught it has returned with the status set, the sign for "I was interrupted". In the coroutine's thread. */
    public boolean isStatusLeftSet() {
        return !socketIo && Thread.currentThread().isInterrupted();
    }

    /** How an error came about that has left the body. */
    public enum Origin {
        /** It says that it is an interrupt's, itself or by its causes. */
        INTERRUPT,
        /** It does not say so, but was made inside of the call that was interrupted. */
        INTERRUPTED_CALL,
        ELSEWHERE
    }

    /** How an error came about that has left the body. */
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
     * True if it was made below a frame of the program that still stood at the call which was interrupted. What a {@code finally} block of that frame throws was made
     * at another line of it.
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

    /** What an error says of itself is its own code, and may fail. */
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
