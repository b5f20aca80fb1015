package org.trueasync.internal.kernel;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.foreign.TimedPark;
import org.trueasync.internal.jdk.Descriptors;
import org.trueasync.internal.jdk.ForeignWait;
import org.trueasync.internal.jdk.ThreadLocks;
import org.trueasync.internal.task.Tasks;

/** What can be seen of the wait of a coroutine that JDK code has parked. Loop thread. */
final class JdkWait {
    /** What runs the code of coroutines. */
    private static final Set<String> ROOTS = Set.of(JdkWait.class.getPackageName(), Tasks.class.getPackageName());

    private JdkWait() {}

    /** {@code blocked in java.util.concurrent.locks.ReentrantLock.lock, held by coroutine #2}, and the like; of a socket its addresses. */
    static String describe(ExecutionContext context) {
        String text = ForeignWait.describe(context.thread, ROOTS);
        // one that was notified waits for the monitor by now
        if (context.thread.getState() == Thread.State.TIMED_WAITING) text += TimedPark.remaining(context.timedPark);
        if (context.socket >= 0) return text + ", " + Descriptors.describe(context.socket);
        Thread holder = ThreadLocks.holderOfWanted(context.thread);
        return holder == null ? text : text + ", held by " + name(context.scheduler, holder);
    }

    private static String name(Scheduler scheduler, Thread holder) {
        CoroutineImpl<?> coroutine = coroutineOf(scheduler, holder);
        return coroutine == null ? "thread '" + holder.getName() + "'" : "coroutine " + coroutine.label();
    }

    private static @Nullable CoroutineImpl<?> coroutineOf(Scheduler scheduler, Thread thread) {
        ExecutionContext context = ExecutionContext.of(thread);
        return context == null || context.scheduler != scheduler ? null : context.coroutine;
    }

    /**
     * Adds the coroutine that alone can end the wait, which is for a lock that it holds.
     *
     * @return false if the wait is for something else, or if no coroutine of this loop holds the lock
     */
    static boolean addHolder(CoroutineImpl<?> waiting, Collection<Coroutine<?>> by) {
        ExecutionContext context = waiting.context;
        if (context == null || !context.isBlocked()) return false;
        Thread holder = ThreadLocks.holderOfWanted(context.thread);
        CoroutineImpl<?> coroutine = holder == null ? null : coroutineOf(context.scheduler, holder);
        return coroutine != null && by.add(coroutine);
    }
}
