package org.trueasync.internal.kernel;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stack to run coroutines on: a virtual thread whose scheduler is this object. It runs coroutines one after another; between two it is
 * wiped, or waits in the {@link ContextPool}.
 *
 * <p>The JDK hands {@link #execute} this thread's task each time the thread becomes runnable; running that task on the loop thread is the
 * context switch. When we suspend the thread ourselves (state HELD), by {@code Thread.yield}, the task comes back at once and is withheld until
 * the waker fires: cheaper than park and unpark, and no stray unpark can wake it.
 *
 * <pre>
 *  NEW      -> RUNNING   mounted for the first time
 *  RUNNING  -> HELD      suspended by us
 *  HELD     -> RUNNING   chosen by the scheduler
 *  RUNNING  -> BLOCKED   parked by JDK code: a socket, a lock, a sleep
 *  RUNNING  -> READY     JDK code yielded, or was woken while it parked
 *  BLOCKED  -> READY     woken by JDK code, on whatever thread
 *  READY    -> RUNNING   chosen by the scheduler
 *  RUNNING  -> ENDED     its thread has ended
 * </pre>
 */
final class ExecutionContext implements Executor, Runnable {
    enum State {
        NEW,
        RUNNING,
        HELD,
        BLOCKED,
        READY,
        ENDED
    }

    final Scheduler scheduler;
    final Thread thread;
    State state = State.NEW;
    @Nullable CoroutineImpl<?> coroutine;
    private @Nullable Runnable task;
    private boolean retired;

    ExecutionContext(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.thread = VirtualThreads.create(this, this);
    }

    /** True while JDK code has it parked. */
    boolean isBlocked() {
        return state == State.BLOCKED;
    }

    // ---- the loop's side

    /** Runs the thread until it suspends, blocks or ends. On the loop thread's own frame only. */
    void mount() {
        boolean fresh = state == State.NEW;
        state = State.RUNNING;
        if (fresh && task == null) thread.start();
        Runnable run = task;
        if (run == null) throw new IllegalStateException("Bug in TrueAsync: a started thread has no task; please report this trace");
        run.run();
    }

    /** Ends an idle context. On the loop thread's own frame only. */
    void retire() {
        retired = true;
        mount();
    }

    /**
     * Called by the JDK when a virtual thread of this scheduler may run: this one, or one that was started on it and inherited the
     * scheduler. Any thread.
     */
    @Override
    public void execute(Runnable runnable) {
        Runnable own = task;
        if (own == null) {
            task = runnable;
            if (state != State.RUNNING) scheduler.startedFromOutside(this);
        } else if (own != runnable) {
            scheduler.guestRunnable(runnable);
        } else if (scheduler.leaving == this && scheduler.isLoopThread()) {
            scheduler.leaving = null;
            state = State.HELD;
        } else {
            scheduler.runnable(this);
        }
    }

    /** Hands the task to the JDK's own scheduler: our loop has ended and can't run it any more. */
    void orphan() {
        if (task != null) VirtualThreads.runOrphan(task);
    }

    // ---- the coroutine's side

    /**
     * Gives control back to the loop's frame until the scheduler mounts this context again.
     *
     * @return false if it could not: a native frame pins the thread
     */
    @SuppressWarnings("ThreadPriorityCheck") // it is our scheduler that the yield goes to
    boolean suspend() {
        scheduler.leaving = this;
        try {
            Thread.yield();
        } catch (Throwable e) {
            scheduler.leaving = null;
            throw e;
        }
        if (scheduler.leaving != this) return true;
        scheduler.leaving = null;
        return false;
    }

    /** The thread's body. */
    @Override
    public void run() {
        ClassLoader loader = thread.getContextClassLoader();
        while (!retired) {
            CoroutineImpl<?> next = coroutine;
            if (next == null) break;
            next.execute();
            CoroutineImpl<?> successor = scheduler.coroutineEnded(this);
            VirtualThreads.wipe(thread, loader);
            coroutine = successor;
            if (successor == null && !scheduler.waitInPool(this)) break;
        }
        state = State.ENDED;
    }
}
