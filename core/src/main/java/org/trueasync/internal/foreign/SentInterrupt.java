package org.trueasync.internal.foreign;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.jdk.VirtualThreads;

/**
 * The interrupt by which a cancellation has reached a coroutine in JDK code, and what came of it.
 *
 * <p>The interrupt status alone does not tell whether the code has noticed the interrupt: library code that has noticed
 * it sets the status again, and socket I/O leaves it set. But code that waits to its end whatever comes clears the
 * status, parks again, and sets the status when its wait is over.
 */
public final class SentInterrupt {
    /** The cancellation that was sent as this interrupt. */
    public final AsyncCancellation reason;

    /** How many protected sections and library calls are around what it is to end. */
    public final int depth;

    private final boolean socketIo;
    private final boolean objectWait;

    /** The coroutine has not run since. */
    private boolean underWay = true;

    /** The coroutine has not suspended since. */
    private boolean fresh = true;

    private boolean putOff;

    /**
     * An interrupt that is sent now.
     *
     * @param reason the cancellation
     * @param depth how many protected sections and library calls are around what it is to end
     * @param stack where the coroutine stands, innermost first
     */
    public SentInterrupt(AsyncCancellation reason, int depth, StackTraceElement[] stack) {
        this.reason = reason;
        this.depth = depth;
        this.socketIo = ForeignWait.isSocketIo(stack);
        this.objectWait = ForeignWait.isObjectWait(stack);
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
        // A socket is closed by now.
        return socketIo || !VirtualThreads.isWoken(thread, objectWait);
    }

    /**
     * Notes that the coroutine suspends. If that is in JDK code, as the first thing after the interrupt, the code puts
     * the interrupt off.
     *
     * @param inTheCall false if it is no wait of JDK code, or is in a protected section that began since
     */
    public void suspends(boolean inTheCall) {
        if (fresh) putOff = inTheCall;
        fresh = false;
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

    /** True if the type of this error, or of one of its causes, says that it comes from the interrupt. */
    public boolean isNamedBy(Throwable thrown) {
        return Causes.any(thrown, this::isOfInterrupt);
    }

    /** True if the type of this error, whatever its cause, says that it comes from some cancellation or interrupt. */
    public static boolean isCancelled(Throwable t) {
        return t instanceof InterruptedException
                || t instanceof ClosedByInterruptException
                || t instanceof FileLockInterruptionException
                || t instanceof AsyncCancellation
                || (t instanceof InterruptedIOException && !(t instanceof SocketTimeoutException));
    }

    private boolean isOfInterrupt(Throwable t) {
        return isCancelled(t) || (socketIo && (t instanceof SocketException || t instanceof ClosedChannelException));
    }
}
