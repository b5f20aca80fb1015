package org.trueasync.internal.kernel;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.spi.ForeignCall;

/**
 * What one coroutine has been asked to end for, and how far that has got.
 *
 * <p>The first reason is for good: it decides how the coroutine ends. The pending one is still to be thrown, once, at the next suspension that
 * no protected section defers. A coroutine that JDK code has parked is reached by an interrupt instead; whether it has noticed shows when
 * it next suspends or ends.
 */
final class Cancellation {
    private final CoroutineImpl<?> coroutine;
    private @Nullable AsyncCancellation first;
    private @Nullable AsyncCancellation pending;
    /** What a wait has thrown last. */
    private @Nullable AsyncCancellation delivered;

    private int protections;
    private boolean interrupted;

    /** What the coroutine is inside of, and how many protections there are with its own. */
    private @Nullable ForeignCall call;

    private int callDepth;
    private int calls;
    private boolean callWasTold;

    /** The interrupt met socket I/O, which it closes; the JDK leaves the interrupt status set then. */
    private boolean closedSocket;

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
        if (pending != null) return;
        record(reason);
        if (protections == 0) deliver();
        else if (call != null && protections == callDepth && callDepth == 1) tellCall();
    }

    /** The request of deadlock and shutdown: neither protection nor an earlier one that was caught holds it up. */
    void force(AsyncCancellation reason) {
        if (pending == null) record(reason);
        forced = true;
        if (call == null || callWasTold) deliver();
        else tellCall();
    }

    private void tellCall() {
        if (callWasTold) return;
        callWasTold = true;
        ForeignCall told = Objects.requireNonNull(call);
        int number = calls;
        coroutine.scheduler().inService(() -> {
            if (call != null && calls == number) told.cancelled();
        });
    }

    private void record(AsyncCancellation reason) {
        pending = reason;
        if (first == null) first = reason;
    }

    private void deliver() {
        AsyncCancellation reason = Objects.requireNonNull(pending);
        boolean running = coroutine.isRunning();
        if (!coroutine.isStarted()) coroutine.condemn();
        else if (running && !coroutine.isWaitingOrQueued()) return; // thrown at its next suspension
        // One that runs and waits is in its own tick, about to give control away.
        else if (!running && coroutine.isInJdkCode()) interrupt();
        else if (coroutine.isWokenWithError()) yieldToError();
        else if (coroutine.isWaitingOrQueued()) coroutine.overrideOutcome(reason);
    }

    /** The error that has already woken it goes first, and takes an ordinary request with it. */
    private void yieldToError() {
        if (!forced) pending = null;
    }

    private void interrupt() {
        Thread blocked = Objects.requireNonNull(coroutine.context).thread;
        interrupted = true;
        closedSocket = ForeignWait.isSocketIo(blocked.getStackTrace());
        blocked.interrupt();
    }

    // ---- delivering

    /** Where the coroutine is about to suspend: throws what is due. */
    void throwIfDue() {
        AsyncCancellation reason = pending;
        if (reason == null || (protections > 0 && !forced)) return;
        pending = null;
        if (interrupted) {
            // A status that is still set was not noticed (a lock, which goes on waiting), unless the socket was closed
            // by it.
            boolean noticed = !Thread.interrupted() || closedSocket;
            interrupted = false;
            if (noticed) return;
        }
        throw reason;
    }

    /** A wait has thrown this. */
    void delivered(Throwable thrown) {
        if (pending != thrown) return;
        delivered = pending;
        pending = null;
    }

    /** Who was thrown this has gone on as if it had not been: it is due again. False if it was no request. */
    boolean takenBack(Throwable thrown) {
        if (thrown != delivered) return false;
        if (pending == null) pending = delivered;
        return true;
    }

    /**
     * Runs a section in which no cancellation is thrown. One that came meanwhile is due at the first suspension after the outermost section, so
     * that the section's value is not lost; only if the section failed it is thrown in place of the error, which it carries.
     */
    @SuppressWarnings("NullAway") // a section may return null; V says whether it does
    <V> V protect(Callable<V> section) {
        protections++;
        V value = null;
        Throwable thrown = null;
        try {
            value = section.call();
        } catch (Throwable t) {
            thrown = t;
        }
        protections--;
        if (thrown == null) return value;
        AsyncCancellation deferred = pending;
        if (protections > 0 || deferred == null || deferred == thrown)
            throw Throwing.sneaky(Throwing.forAwaiter(thrown));
        pending = null;
        Causes.joined(deferred, thrown);
        throw deferred;
    }

    // ---- calls that know how to give up

    void begin(ForeignCall call) {
        protections++;
        // what one call does inside of another is the outer one's business
        if (this.call != null) return;
        this.call = call;
        callDepth = protections;
        calls++;
        callWasTold = false;
    }

    /** What to throw; a request that came during a call which failed nevertheless goes first, and carries the failure. */
    @Nullable
    Throwable end(@Nullable Throwable thrown) {
        if (protections-- == callDepth) {
            call = null;
            callDepth = 0;
            if (interrupted) {
                // consumed here: whether the call noticed shows in how it ended
                Thread.interrupted();
                interrupted = false;
            }
        }
        AsyncCancellation deferred = pending;
        if (thrown == null || protections > 0 || deferred == null || deferred == thrown) return thrown;
        pending = null;
        delivered = deferred;
        Causes.joined(deferred, thrown);
        return deferred;
    }

    void interruptForeignCall() {
        if (call != null && !coroutine.isRunning() && coroutine.isInJdkCode()) interrupt();
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
        if (thrown == null) return pending != null && !interruptWasNoticed() ? reason : null;
        if (thrown instanceof AsyncCancellation) return reason;
        if (interrupted && isInterruptEffect(thrown)) {
            Causes.joined(reason, thrown);
            return reason;
        }
        return withCause(thrown, reason);
    }

    private boolean interruptWasNoticed() {
        return interrupted && (closedSocket || !Thread.currentThread().isInterrupted());
    }

    private static boolean isInterruptEffect(Throwable thrown) {
        return Causes.any(thrown, t -> t instanceof InterruptedException || t instanceof IOException);
    }

    private static Throwable withCause(Throwable thrown, Throwable cause) {
        return Causes.contains(thrown, cause) ? thrown : Causes.chained(thrown, cause);
    }
}
