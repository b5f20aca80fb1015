package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.foreign.LoopSockets;
import org.trueasync.internal.foreign.TimedPark;
import org.trueasync.internal.jdk.Descriptors;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.jdk.ThreadLocks;
import org.trueasync.internal.jdk.Unparkers;
import org.trueasync.internal.recorder.CoroutineEvents;
import org.trueasync.internal.task.Tasks;

/**
 * The waits of coroutines that JDK code has parked, by a lock, a queue or {@code Thread.sleep}: what their return
 * needs, in the loop's frame; the timers and socket polls that serve them; their description for people, on the loop
 * thread.
 *
 * <p>Such a coroutine leaves the thread without a tick of its own: it can't run its switch handlers, and does not
 * choose what runs next. What its leaving needs is in the {@link Service}.
 */
final class JdkWait {
    /** The packages of the code that runs the tasks of coroutines. */
    private static final Set<String> ROOTS = Set.of(JdkWait.class.getPackageName(), Tasks.class.getPackageName());

    private static final LoopSockets.Loops LOOPS = new LoopSockets.Loops() {
        @Override
        public @Nullable LoopSockets here() {
            Loop here = Runtimes.hereOrNull();
            return here == null ? null : here.sockets;
        }

        @Override
        public List<LoopSockets> all() {
            var all = new ArrayList<LoopSockets>();
            for (Loop loop : Runtimes.all()) all.add(loop.sockets);
            return all;
        }
    };

    private JdkWait() {}

    // ---- while they last, and their end
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

    // ---- serving them

    /**
     * Makes the loops of this process time and poll the waits of JDK code. Called before each run; only the first call
     * has an effect. Any thread.
     */
    static void install() {
        Unparkers.install(JdkWait::schedule);
        LoopSockets.install(LOOPS);
    }

    /** Tells what waits for sockets on a loop. */
    static LoopSockets.Waiters waitersOn(Loop loop) {
        return new LoopSockets.Waiters() {
            @Override
            public long waiterHere() {
                CoroutineImpl<?> coroutine = loop.current;
                return coroutine == null ? -Thread.currentThread().threadId() : coroutine.id();
            }

            @Override
            public void waitsFor(int descriptor) {
                CoroutineImpl<?> coroutine = loop.current;
                if (coroutine != null && coroutine.context != null) coroutine.context.socket = descriptor;
            }
        };
    }

    /** See {@link Unparkers.Timekeeper}. */
    private static @Nullable TimedPark schedule(Runnable wakeUp, long nanos) {
        Loop loop = Runtimes.hereOrNull();
        if (loop == null || loop.isStopped()) return null;
        TimedPark park = loop.timekeeper.schedule(wakeUp, nanos);
        CoroutineImpl<?> parked = loop.current;
        if (park != null && parked != null && parked.context != null) parked.context.timedPark = park;
        return park;
    }

    // ---- describing them

    /**
     * {@code blocked in java.util.concurrent.locks.ReentrantLock.lock, held by coroutine #2}, and the like; for a
     * socket, with its addresses.
     */
    static String describe(ExecutionContext context) {
        String text = ForeignWait.describe(context.thread, ROOTS);
        // a thread that was notified is not in this state: it waits for the monitor
        if (context.thread.getState() == Thread.State.TIMED_WAITING) text += TimedPark.remaining(context.timedPark);
        if (context.socket >= 0) return text + ", " + Descriptors.describe(context.socket);
        String holder = holderOf(context);
        return holder == null ? text : text + ", held by " + holder;
    }

    /** Who has the lock that it is parked for; null if it is none, or that is not known. */
    static @Nullable String holderOf(ExecutionContext context) {
        Thread holder = ThreadLocks.holderOfWanted(context.thread);
        return holder == null ? null : name(context.loop, holder);
    }

    private static String name(Loop loop, Thread holder) {
        CoroutineImpl<?> coroutine = coroutineOf(loop, holder);
        return coroutine == null ? "thread '" + holder.getName() + "'" : "coroutine " + coroutine.label();
    }

    private static @Nullable CoroutineImpl<?> coroutineOf(Loop loop, Thread thread) {
        ExecutionContext context = ExecutionContext.of(thread);
        return context == null || context.loop != loop ? null : context.coroutine;
    }

    /**
     * Adds the coroutine that holds the lock for which another one waits, and that alone can end this wait.
     *
     * @return false if it does not wait for a lock, or if no coroutine of this loop holds the lock
     */
    static boolean addHolder(CoroutineImpl<?> waiting, Collection<Coroutine<?>> by) {
        ExecutionContext context = waiting.context;
        if (context == null || !context.isBlocked()) return false;
        Thread holder = ThreadLocks.holderOfWanted(context.thread);
        CoroutineImpl<?> coroutine = holder == null ? null : coroutineOf(context.loop, holder);
        return coroutine != null && by.add(coroutine);
    }
}
