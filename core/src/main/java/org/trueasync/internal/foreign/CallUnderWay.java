package org.trueasync.internal.foreign;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ForeignCall;

/**
 * The library call that a coroutine is inside of, see {@link org.trueasync.spi.ForeignCalls}. Calls may nest; only the
 * outermost one is known here and told of a cancellation. Loop thread only.
 */
public final class CallUnderWay {
    private @Nullable ForeignCall call;
    /** How many protected sections and library calls are around the code of the call, the call itself included. */
    private int depth;
    /**
     * The number of this call among the coroutine's, so that a late message to an earlier call does not reach this one.
     */
    private int number;

    private boolean notified;
    private boolean interrupted;
    /** True for a call that is made even if a cancellation is due. */
    private boolean shielded;
    /** The thread's interrupt status before a shielded call, which began with the status cleared. */
    private boolean statusBefore;

    /** For a coroutine that is in no call. */
    public CallUnderWay() {}

    public boolean isUnderWay() {
        return call != null;
    }

    /** See {@link ForeignCall#text}. */
    public @Nullable String text() {
        return call == null ? null : call.text();
    }

    /**
     * True if this call alone defers a cancellation.
     *
     * @param now the depth of the code that runs
     * @param ended the depth of what is to be cancelled
     */
    public boolean aloneDefers(int now, int ended) {
        return call != null && now == depth && depth == ended + 1;
    }

    public boolean wasNotified() {
        return notified;
    }

    public void begin(ForeignCall begins, int inside, boolean asShielded) {
        call = begins;
        depth = inside;
        number++;
        notified = false;
        shielded = asShielded;
        // An interrupt from before the call must not end a JDK wait inside of it.
        statusBefore = asShielded && Thread.interrupted();
    }

    /**
     * Tells the call, once, that it is to end soon.
     *
     * @param service runs an action in a service coroutine, as the call's own code may meet a lock
     */
    public void notifyOnce(Consumer<Runnable> service) {
        if (notified) return;
        notified = true;
        ForeignCall target = Objects.requireNonNull(call);
        int numberThen = number;
        service.accept(() -> {
            if (call != null && number == numberThen) target.cancelled();
        });
    }

    /** Notes that the coroutine's thread is about to be interrupted because of the call. */
    public void interrupts() {
        interrupted = true;
    }

    /**
     * Ends a call, this one or one inside of it.
     *
     * @param inside the depth of the code of the call that ends
     * @return true if it was the outermost one, and shielded
     */
    public boolean end(int inside) {
        if (inside != depth) return false;
        call = null;
        depth = 0;
        // The interrupt was for the call. It is cleared here; whether the call noticed it shows in how the call ended.
        if (interrupted) Thread.interrupted();
        interrupted = false;
        if (statusBefore) Thread.currentThread().interrupt();
        statusBefore = false;
        return shielded;
    }
}
