package org.trueasync.internal.kernel;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.foreign.Interruption;
import org.trueasync.internal.foreign.TimedPark;
import org.trueasync.internal.jdk.Interrupts;
import org.trueasync.internal.jdk.SwitchedThread;
import org.trueasync.internal.jdk.ThreadSwitch;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.queue.IdlePool;

/**
 * A stack to run coroutines on: a virtual thread whose scheduler is this object. It runs coroutines one after another.
 * Between two of them the thread's state is wiped. Without a coroutine the context waits in the {@link IdlePool}, or
 * ends.
 *
 * <p>The JDK hands {@link #execute} this thread's task each time the thread becomes runnable after JDK code has parked
 * it; running that task on the loop thread mounts the thread. When we suspend the thread ourselves (state HELD), a
 * {@link ThreadSwitch} does it in a cheaper way, and no stray unpark can wake it.
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
final class ExecutionContext extends SwitchedThread implements Interrupts.Listener {
    // The states; bytes, as a switch changes the state four times and a reference store has its price.
    static final byte NEW = 0;
    static final byte RUNNING = 1;
    static final byte HELD = 2;
    static final byte BLOCKED = 3;
    static final byte READY = 4;
    static final byte ENDED = 5;

    static final ThreadSwitch SWITCH = ThreadSwitch.ofProcess();

    final Loop loop;
    byte state = NEW;

    @Nullable
    CoroutineImpl<?> coroutine;

    /** The time-out of the last wait in JDK code that had one. */
    @Nullable
    TimedPark timedPark;

    /** The descriptor that its thread waits for in JDK code; negative for none. */
    int socket = -1;

    /**
     * When its last turn began, by {@link org.trueasync.internal.time.ReactorClock#ticks}. In the command it fits into
     * a gap of the object's layout.
     */
    int turnBegan;

    /** While the kernel itself interrupts it. Loop thread. */
    private boolean interrupting;

    /**
     * The coroutine to which the loop will tell of an interrupt; further ones are merged with that. Guarded by the lock
     * of the interrupt status, except that the loop sets it to null.
     */
    private volatile @Nullable CoroutineImpl<?> interruptUnderWay;

    ExecutionContext(Loop loop, boolean dedicated) {
        // A coroutine inherits from its spawner, not from the code that makes its stack, which may have been made for
        // another one.
        super(dedicated);
        this.loop = loop;
        if (!dedicated && thread.getContextClassLoader() != loop.classLoader)
            thread.setContextClassLoader(loop.classLoader);
        Interrupts.watch(thread);
    }

    /** The context whose thread this is; null if it is no context's thread. Any thread. */
    static @Nullable ExecutionContext of(Thread thread) {
        return thread.isVirtual()
                        && VirtualThreads.schedulerOf(thread) instanceof ExecutionContext context
                        && context.thread == thread
                ? context
                : null;
    }

    /** True while JDK code has it parked. */
    boolean isBlocked() {
        return state == BLOCKED;
    }

    @Override
    protected boolean isHeld() {
        return state == HELD;
    }

    @Override
    protected boolean isOnLoop() {
        return loop.isLoopThread();
    }

    // ---- the loop's side

    /** Runs the thread until it suspends, yields, blocks or ends. On the loop thread's own frame only. */
    void mount() {
        boolean ours = state == HELD || (state == NEW && !dedicated && SWITCH.start(this));
        state = RUNNING;
        turnBegan = loop.clock.ticks();
        if (ours) SWITCH.resume(this);
        else SWITCH.run(this);
    }

    /** Ends an idle context: it finds that it has got no coroutine. On the loop thread's own frame only. */
    void retire() {
        mount();
    }

    /**
     * Called by the JDK when a virtual thread of this scheduler may run: this one, or one that was started on it and
     * inherited the scheduler. Any thread.
     */
    @Override
    public void execute(Runnable runnable) {
        if (runnable != task()) {
            loop.remoteQueue.libraryThreadRunnable(runnable);
        } else if (state == NEW) {
            if (dedicated) loop.spawner.started(this);
        } else if (state != HELD || !SWITCH.isHandingOver(this)) {
            loop.remoteQueue.runnable(this);
        }
    }

    /**
     * Interrupts the coroutine that JDK code has parked here, for the kernel itself: {@link #interrupted} ignores it.
     * Loop thread, in a coroutine.
     */
    void interrupt() {
        interrupting = true;
        try {
            thread.interrupt();
        } finally {
            interrupting = false;
        }
    }

    @Override
    public void interrupted(Thread target) {
        CoroutineImpl<?> interruptedCoroutine = coroutine;
        if (target != thread
                || interruptedCoroutine == null
                || interruptedCoroutine.isInternal()
                || (loop.isLoopThread() && interrupting)
                || interruptUnderWay == interruptedCoroutine) return;
        var interruption = Interruption.byOther(interruptedCoroutine, Runtimes.threadName());
        interruptUnderWay = interruptedCoroutine;
        loop.post(() -> {
            if (interruptUnderWay == interruptedCoroutine) interruptUnderWay = null;
            interruptedCoroutine.interrupted(interruption);
        });
    }

    /** Hands the task to the JDK's own scheduler: our loop has ended and can't run it any more. */
    void orphan() {
        VirtualThreads.runOrphan(task());
    }

    // ---- the coroutine's side

    /** The frames of the thread while it is suspended, innermost first. On the loop thread. */
    StackTraceElement[] trace() {
        return state == HELD ? SWITCH.trace(this) : thread.getStackTrace();
    }

    /** Those of its {@link #trace} that are user code. */
    List<StackTraceElement> userFrames() {
        return state == HELD ? SWITCH.userFrames(this) : CodeSites.userFrames(thread.getStackTrace());
    }

    // The frames of the following methods are on the stack of every suspended coroutine, so they keep next to nothing
    // there. The work between two coroutines is in goesOn(), which the trueasync command keeps the compiler from
    // inlining (see bin/trueasync).

    /** The thread's body. */
    @Override
    public void run() {
        try {
            do {
                Objects.requireNonNull(coroutine).execute();
            } while (goesOn());
        } catch (OutOfMemoryError e) {
            // Thrown while another error was being handled. That one has been noted by then, and the run ends with it.
            loop.errors.unhandled(e);
        } finally {
            state = ENDED;
        }
    }

    /** Ends a coroutine and finds the next one; false if the thread is to end. */
    private boolean goesOn() {
        try {
            change();
            if (coroutine == null && (dedicated || !waitInPool())) return false;
            return coroutine != null;
        } catch (Throwable e) {
            loop.errors.unhandled(e);
            return false;
        }
    }

    /** Keeps it idle until it is needed; false if it should end. */
    private boolean waitInPool() {
        if (loop.isStopped() || !loop.contexts.wants(loop.agenda.queue.size())) return false;
        loop.contexts.add(this);
        return Suspension.ofIdle(this);
    }

    /** A method of its own, so that no frame of the idle stack keeps the coroutine that has ended. */
    private void change() {
        Objects.requireNonNull(coroutine).end();
        coroutine = loop.scheduler.chooseAfterEndOn(this);
        VirtualThreads.wipe(thread, loop.classLoader);
    }
}
