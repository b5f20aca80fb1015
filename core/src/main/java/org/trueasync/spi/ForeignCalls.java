package org.trueasync.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * Marks the beginning and the end of a {@link ForeignCall} in a coroutine. Loop thread only. Calls may nest; only the
 * outermost one is ever told of a cancellation. After a coroutine's first call neither {@code begin} nor {@code end}
 * allocates.
 */
public final class ForeignCalls {
    private ForeignCalls() {}

    /**
     * Begins a call of the current coroutine, which must end the call by {@link #end} in any case. Until then no
     * cancellation is thrown. {@link ForeignCall#cancelled} is called instead, but not while another protected section,
     * or a call inside of this one, defers the cancellation too.
     *
     * @param call called on a cancellation
     * @throws org.trueasync.AsyncCancellation if a cancellation is pending already; the call has not begun then
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static void begin(ForeignCall call) {
        SchedulerProvider.get().beginForeignCall(Objects.requireNonNull(call, "call"));
    }

    /**
     * As {@link #begin}, for a call that must be made although a cancellation is pending, such as closing something.
     * Neither this nor {@link #end} throws it; the next wait, or the next {@link #begin}, does. As soon as the
     * coroutine waits in the call, {@link ForeignCall#cancelled} is called, so that the call does not take for ever.
     * The thread's interrupt status is cleared during the call and restored at its end.
     *
     * @param call called on a cancellation
     * @return true if a cancellation is pending already
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static boolean beginShielded(ForeignCall call) {
        return SchedulerProvider.get().beginShieldedForeignCall(Objects.requireNonNull(call, "call"));
    }

    /**
     * Ends the call of the current coroutine. If a cancellation came during the call and the call failed, the failure
     * is taken for its consequence: the cancellation is returned, with the failure suppressed in it. After a successful
     * call, and after a shielded one, the cancellation is thrown at the next wait.
     *
     * @param thrown what the call has thrown, or null
     * @return what the caller must throw, or null
     * @throws IllegalStateException without a {@link #begin} before it
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static @Nullable Throwable end(@Nullable Throwable thrown) {
        return SchedulerProvider.get().endForeignCall(thrown);
    }

    /**
     * Interrupts a coroutine in its call, if it waits there in JDK code: socket I/O then fails, and the socket is
     * closed. Does nothing in any other case.
     *
     * @param coroutine the coroutine to interrupt
     * @throws org.trueasync.AsyncException on a thread that is not the coroutine's loop thread
     */
    public static void interrupt(Coroutine<?> coroutine) {
        SchedulerProvider.get().interruptForeignCall(coroutine);
    }
}
