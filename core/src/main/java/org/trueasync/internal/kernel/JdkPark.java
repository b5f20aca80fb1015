package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.recorder.CoroutineEvents;

/*
 * A coroutine that JDK code parks, by a lock, a queue or Thread.sleep, leaves without having asked: it can't run its switch handlers, and its tick does not choose who goes on.
 * What belongs to its leaving and its return is done here, in the loop's frame; what may meet a lock is left to the Service.
 */
final class JdkPark {
    private JdkPark() {}

    /**
     * Has loaded what the loop's frame needs once JDK code parks a coroutine. The first one may be parked for the very lock that loading a class takes, and
     * be next in line for it: then the frame would wait for a coroutine that only it can mount.
     */
    static void prepare() {
        RemoteQueue.prepare();
    }

    /** True while JDK code has it parked, or did so until somebody else woke it just now. */
    static boolean isBlocked(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        return context != null && context.isBlocked();
    }

    /** True from the moment that JDK code has parked it until it goes on. */
    static boolean isParked(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        return context != null && (context.isBlocked() || context.state == ExecutionContext.READY);
    }

    /** A context has left the thread without having suspended. */
    static void parked(Scheduler scheduler, ExecutionContext context) {
        scheduler.remoteQueue.parked(context);
        scheduler.sockets.left();
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine != null) {
            if (coroutine.isInternal()) scheduler.service.heldUp(coroutine);
            Cancellation cancellation = coroutine.cancellationOrNull();
            if (cancellation != null) cancellation.parked();
        }
        if (scheduler.shutdown.isShuttingDown()) scheduler.inService(() -> scheduler.shutdown.noteIfExits(context));
        left(scheduler, coroutine);
    }

    /** JDK code has parked it, or yielded: its LEAVE could not run in its own context. */
    static void left(Scheduler scheduler, @Nullable CoroutineImpl<?> coroutine) {
        if (coroutine == null) return;
        if (CoroutineEvents.suspend()) FlightRecords.leftJdkWay(coroutine);
        SwitchHandlerList handlers = coroutine.switchHandlers();
        if (handlers != null && !handlers.isEmpty() && handlers.isEntered() && !coroutine.refusesWaits())
            scheduler.service.leave(coroutine);
    }

    /**
     * True if its ENTER could not run in its own context. If it comes back between its own LEAVE and ENTER, to a handler or a microtask that met a
     * lock, there is none.
     */
    static boolean needsEnter(CoroutineImpl<?> coroutine) {
        SwitchHandlerList handlers = coroutine.switchHandlers();
        return handlers != null
                && !handlers.isEmpty()
                && !handlers.isEntered()
                && !coroutine.isWaitingOrQueued()
                && !coroutine.refusesWaits();
    }

    /** It is about to go on. */
    static void returns(CoroutineImpl<?> coroutine) {
        Cancellation cancellation = coroutine.cancellationOrNull();
        if (cancellation != null) cancellation.returnsFromJdk();
        if (CoroutineEvents.resume()) FlightRecords.resumes(coroutine);
    }

    /**
     * Its turn has come while JDK code keeps it parked in the middle of suspending: a switch handler or a microtask that it runs there has met
     * a lock. It gets another one as soon as it can go on. In the loop's frame: a flag, as nothing is allocated there.
     */
    static void skipTurn(CoroutineImpl<?> coroutine) {
        coroutine.setSkippedTurn();
    }
}
