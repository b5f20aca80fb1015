package org.trueasync.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/** Marks where a coroutine is inside of a {@link ForeignCall}. Loop thread only; neither call allocates after the first of its coroutine. */
public final class ForeignCalls {
    private ForeignCalls() {}

    /**
     * The current coroutine enters a call, which it leaves by {@link #end} in any case. Until then no cancellation is thrown: the call is told instead.
     *
     * @param call told of a cancellation
     * @throws org.trueasync.AsyncCancellation if one is due already; the call has not begun then
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static void begin(ForeignCall call) {
        SchedulerProvider.get().beginForeignCall(Objects.requireNonNull(call, "call"));
    }

    /**
     * As {@link #begin}, for what has to be done although a cancellation is due, such as closing something. Neither this nor {@link #end} throws it: the next wait, or the
     * next call that {@link #begin} begins, does. The call is told of it as soon as the coroutine waits, so that it does not take for ever. The thread's interrupt
     * status is put aside until the end of the call.
     *
     * @param call told of a cancellation
     * @return true if one is due already
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static boolean beginShielded(ForeignCall call) {
        return SchedulerProvider.get().beginShieldedForeignCall(Objects.requireNonNull(call, "call"));
    }

    /**
     * The current coroutine leaves its call. If a cancellation came meanwhile and the call has failed, that is taken for the reason: the cancellation is to be thrown, with the failure
     * suppressed in it. After a success, and after a shielded call, it is due at the next wait.
     *
     * @param thrown how the call failed, or null
     * @return what to throw, or null
     * @throws IllegalStateException without a {@link #begin} before it
     */
    public static @Nullable Throwable end(@Nullable Throwable thrown) {
        return SchedulerProvider.get().endForeignCall(thrown);
    }

    /**
     * Interrupts a coroutine inside of its call, if JDK code has it waiting there: socket I/O fails, and the socket is closed. Else nothing happens.
     *
     * @param coroutine whose
     */
    public static void interrupt(Coroutine<?> coroutine) {
        SchedulerProvider.get().interruptForeignCall(coroutine);
    }
}
