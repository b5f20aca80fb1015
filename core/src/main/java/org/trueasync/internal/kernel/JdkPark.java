package org.trueasync.internal.kernel;

import org.trueasync.internal.recorder.CoroutineEvents;

/*
 * A coroutine that JDK code parks, by a lock, a queue or Thread.sleep, leaves the thread without a tick of its own: it
 * can't run its switch handlers, and does not choose what runs next. What its return needs is here, and done in the
 * loop's frame. What its leaving needs is in the Service.
 */
final class JdkPark {
    private JdkPark() {}

    /** True while JDK code has it parked. A wake-up by another thread counts once the loop has taken it in. */
    static boolean isBlocked(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        return context != null && context.isBlocked();
    }

    /** True from the moment that JDK code has parked it, or has yielded, until it goes on. */
    static boolean isParked(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        return context != null && (context.isBlocked() || context.state == ExecutionContext.READY);
    }

    /**
     * True if the service has to run the coroutine's ENTER handlers before it goes on in JDK code. False if it comes
     * back between its own LEAVE and ENTER, to a handler or a microtask that met a lock.
     */
    static boolean needsEnter(CoroutineImpl<?> coroutine) {
        SwitchHandlerList handlers = coroutine.switchHandlers();
        return handlers != null
                && !handlers.isEmpty()
                && !handlers.isEntered()
                && !coroutine.isWaitingOrQueued()
                && !coroutine.refusesWaits();
    }

    /** Called when a coroutine is about to go on after JDK code had parked it. */
    static void returns(CoroutineImpl<?> coroutine) {
        Cancellation cancellation = coroutine.cancellationOrNull();
        if (cancellation != null) cancellation.returnsFromJdk();
        if (CoroutineEvents.resume()) CoroutineRecords.resumes(coroutine);
    }

    /**
     * Skips a coroutine's turn: JDK code keeps it parked in the middle of suspending, as a switch handler or a
     * microtask that it runs there has met a lock. It gets another turn as soon as it can go on. In the loop's frame:
     * only sets a flag, which takes no memory.
     */
    static void skipTurn(CoroutineImpl<?> coroutine) {
        coroutine.setSkippedTurn();
    }
}
