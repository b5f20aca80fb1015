package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.recorder.CoroutineEvents;

/*
 * A coroutine that JDK code parks, by a lock, a queue or Thread.sleep, leaves the thread without a tick of its own: it
 * can't run its switch handlers, and does not choose what runs next. What belongs to its leaving and its return is done
 * here, in the loop's frame; what may meet a lock is left to the Service.
 */
final class JdkPark {
    private JdkPark() {}

    /**
     * Loads the classes that the loop's frame needs once JDK code has parked a coroutine. That coroutine may be parked
     * for the very lock that class loading takes, and be the next one to get it: then the frame would wait for a
     * coroutine that only the frame can mount.
     */
    static void prepare() {
        RemoteQueue.prepare();
    }

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

    /** Handles a context that JDK code has parked. */
    static void parked(Loop loop, ExecutionContext context) {
        loop.remoteQueue.parked(context);
        loop.sockets.left();
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine != null) {
            if (coroutine.isInternal()) loop.service.parkedInJdk(coroutine);
            Cancellation cancellation = coroutine.cancellationOrNull();
            if (cancellation != null) cancellation.parked();
        }
        if (loop.shutdown.looksForExits(coroutine)) loop.inService(() -> loop.shutdown.noteIfExits(context));
        left(loop, coroutine);
    }

    /**
     * Has the service run the LEAVE handlers of a coroutine that JDK code has parked, or that has yielded there: they
     * could not run in the coroutine's own context.
     */
    static void left(Loop loop, @Nullable CoroutineImpl<?> coroutine) {
        if (coroutine == null) return;
        if (CoroutineEvents.suspend()) FlightRecords.suspendsInJdkCode(coroutine);
        SwitchHandlerList handlers = coroutine.switchHandlers();
        if (handlers != null && !handlers.isEmpty() && handlers.isEntered() && !coroutine.refusesWaits())
            loop.service.leave(coroutine);
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
        if (CoroutineEvents.resume()) FlightRecords.resumes(coroutine);
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
