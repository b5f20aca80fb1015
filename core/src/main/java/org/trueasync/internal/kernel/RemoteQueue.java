package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.queue.Backpressure;
import org.trueasync.internal.queue.Inbox;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;

/**
 * Takes in what reaches the loop from outside: wake-ups of coroutines that JDK code has parked, virtual threads that
 * libraries started on our loop, actions and tasks of other threads. After the end of the run all of this goes to the
 * JDK's own scheduler, except actions that may be dropped. So a thread or an executor of ours that is still in use does
 * not hang.
 */
class RemoteQueue {
    /** A virtual thread's task, other than a context's. */
    private record LibraryTask(Runnable task) {}

    /** A task that another thread has given to an executor. */
    private record Task(
            Object task,
            Runnable command,
            CoroutineKind kind,
            String site,
            @Nullable Inheritance inheritance) {}

    /**
     * How many entries one tick takes in at most. The more coroutines are ready, the fewer, so that a round of all of
     * them does not take in more and more.
     */
    static final int PORTION = 256;

    /** How many entries one tick takes in however many coroutines are ready. */
    static final int SMALL_PORTION = 16;

    /**
     * While the run queue is at least this long, tasks begin only now and then, and an entry that makes the queue
     * longer still is the last one of its tick. So whoever waits at the tail of the queue does not wait longer and
     * longer.
     */
    static final int FULL_QUEUE = 256;

    /** While the run queue is that long, one task begins each time this number of ticks has passed. */
    private static final int TICKS_PER_TASK = 16;

    /** For how long a wake-up that meets a full heap is tried again. */
    static final long RETRY_NANOS = 5_000_000_000L;

    private final Loop loop;
    private final Inbox inbox;

    /** Tasks that have not begun. Loop thread. */
    private ArrayDeque<Task> tasks = new ArrayDeque<>();

    /**
     * Ticks in which tasks waited and the run queue was too long for them; counted anew when one begins nevertheless.
     */
    private int passedOver;

    /** True while the loop may wait in the reactor: then a thread that adds an entry must trigger it. */
    private volatile boolean polling;

    /** The run has ended. */
    private volatile boolean stopped;

    /** The run takes no more tasks. */
    private volatile boolean refusing;

    /** How many entries and tasks the loop has here and has not begun; 0 for a few. Set by the loop thread. */
    private volatile int backlog;

    RemoteQueue(Loop loop) {
        this(loop, new Inbox());
    }

    /** For tests: with an inbox of their own. */
    RemoteQueue(Loop loop, Inbox inbox) {
        this.loop = loop;
        this.inbox = inbox;
    }

    /**
     * Loads the classes that the loop's frame needs once JDK code has parked a coroutine. That coroutine may be parked
     * for the very lock that class loading takes, and be the next one to get it: then the frame would wait for a
     * coroutine that only the frame can mount.
     */
    static void prepare() {
        Objects.requireNonNull(LibraryTask.class);
        Objects.requireNonNull(Task.class);
    }

    // ---- any thread

    /**
     * Runs an action in the loop's frame or in a tick. The action may only queue things. The caller is not slowed down:
     * it may be in a place where it must not wait. So this is for what can't come without end.
     *
     * @param action dropped after the end of the run
     * @param orphan run by the JDK's scheduler instead if the run has ended; null to do nothing then
     */
    void post(Runnable action, @Nullable Runnable orphan) {
        addOrRetry(action, orphan);
    }

    /** As {@link #post}, for a call of the program's own, which may come without end: slows the caller down then. */
    void bring(Runnable action, @Nullable Runnable orphan) {
        slowDownIf(addOrRetry(action, orphan));
    }

    /**
     * Has a coroutine begun for the task of an executor. Slows down a caller that brings more than the loop can begin.
     *
     * @param task in the shape that {@link Tasks#run} takes
     * @param command what the task was made of; run by the JDK's scheduler if the task has not begun when the final
     *     phase of a shutdown begins
     * @param kind of its coroutine
     * @param site the line that has brought it
     * @param inheritance what the calling thread hands down, or null
     */
    void task(Object task, Runnable command, CoroutineKind kind, String site, @Nullable Inheritance inheritance) {
        slowDownIf(addOrRetry(new Task(task, command, kind, site, inheritance), null));
    }

    private void slowDownIf(int ungathered) {
        if (ungathered + backlog > Backpressure.CROWD) slowDown();
    }

    /**
     * A thread is parked, a library's virtual thread on another loop too. A coroutine of another runtime rests, and
     * lets the others there run. No loop itself may wait, nor what runs in scheduler context there.
     */
    private void slowDown() {
        Loop here = Runtimes.hereOrNull();
        boolean isGuest =
                here != null && !here.runsCoroutine() && Thread.currentThread().isVirtual();
        if (here == null || (isGuest && here != loop)) Backpressure.awaitRoom(this::waiting);
        else if (here != loop && here.maySuspend())
            Backpressure.awaitRoom(this::waiting, () -> here.rest(Backpressure.PAUSE_NANOS));
    }

    /** How many entries and tasks wait, about. Any thread. */
    int waiting() {
        return stopped ? 0 : inbox.ungathered() + backlog;
    }

    private void updateBacklog() {
        int now = inbox.gathered() + tasks.size();
        if (now <= PORTION) now = 0; // this changes all the time, and other threads' copies with it
        if (now != backlog) backlog = now;
    }

    /** Queues a context that JDK code had parked, or that yielded, and that can go on now. */
    void runnable(ExecutionContext context) {
        if (stopped || !loop.isLoopThread()) {
            addOrRetry(context, null);
            return;
        }
        try {
            readyHere(context);
        } catch (OutOfMemoryError e) {
            // This error ends the run, which frees the memory that was kept for that. If it were thrown, the JDK
            // would only park the loop thread for a while and ask again.
            loop.errors.unhandled(e);
            readyHere(context);
        }
    }

    private void readyHere(ExecutionContext context) {
        if (context.state == ExecutionContext.RUNNING) ready(context);
        else unblocked(context);
    }

    /** Queues a virtual thread that inherited our scheduler and can run now. */
    void libraryThreadRunnable(Runnable task) {
        if (stopped || !loop.isLoopThread()) {
            add(new LibraryTask(task), null);
            return;
        }
        try {
            loop.agenda.queue.addLast(task);
        } catch (OutOfMemoryError e) {
            loop.errors.unhandled(e);
            loop.agenda.queue.addLast(task);
        }
    }

    /** Adds an entry. Tries again for a while if the heap is full: a lost wake-up would not be repeated. */
    private int addOrRetry(Object entry, @Nullable Runnable orphan) {
        OutOfMemoryError full;
        long end = 0;
        do {
            try {
                return add(entry, orphan);
            } catch (OutOfMemoryError e) {
                full = e;
                if (end == 0) end = now() + RETRY_NANOS;
            }
        } while (mayRetry(end));
        throw full;
    }

    /**
     * A full heap may have room again in a moment: the loop frees memory when it ends what has failed. The loop thread
     * itself can't wait for that. Spins and does not park, as this is called from inside the JDK's own unpark.
     */
    private boolean mayRetry(long end) {
        if (loop.isLoopThread() || now() - end > 0) return false;
        for (int i = 0; i < 1_000; i++) Thread.onSpinWait();
        return true;
    }

    /** The time, in nanoseconds. */
    long now() {
        return System.nanoTime();
    }

    private int add(Object entry, @Nullable Runnable orphan) {
        int ungathered = inbox.add(entry, orphan);
        if (stopped) inbox.takeAll(RemoteQueue::orphan);
        else if (polling) loop.reactor.trigger();
        return ungathered;
    }

    private static void orphan(Object entry, @Nullable Runnable orphan) {
        if (entry instanceof ExecutionContext context) context.orphan();
        else if (entry instanceof LibraryTask thread) VirtualThreads.runOrphan(thread.task());
        else if (entry instanceof Task task) VirtualThreads.runOrphan(task.command());
        else if (orphan != null) VirtualThreads.runOrphan(orphan);
    }

    /** True while the loop waits in the reactor, or is about to. */
    boolean isPolling() {
        return polling;
    }

    // ---- the loop thread

    boolean isEmpty() {
        return inbox.isEmpty() && tasks.isEmpty();
    }

    /** True if tasks wait for their coroutines. */
    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /** Notes that the loop is about to wait. False if something has arrived meanwhile: then it must not wait. */
    boolean beginPoll() {
        polling = true;
        return isEmpty();
    }

    void endPoll() {
        if (polling) polling = false;
    }

    /** Notes that JDK code has parked a context. */
    void parked(ExecutionContext context) {
        context.state = ExecutionContext.BLOCKED;
        loop.agenda.blocked++;
    }

    /**
     * Takes in what has arrived, in portions: a flood of entries holds up neither the loop nor the coroutines that are
     * ready.
     */
    void drain() {
        boolean gathered = inbox.gather();
        if (gathered) gather();
        if (!tasks.isEmpty()) beginTasks();
        else if (!gathered) return;
        updateBacklog();
    }

    private void gather() {
        int portion = Math.max(SMALL_PORTION, PORTION - loop.agenda.queue.size());
        // Once tasks are refused, little more can arrive: the limit is not needed.
        for (int i = 0; refusing || i < portion; i++) {
            Object entry = inbox.pollGathered();
            if (entry == null) return;
            int ready = loop.agenda.queue.size();
            try {
                takeIn(entry);
            } catch (OutOfMemoryError e) {
                // As in runnable: the entry is in the inbox no more, and what it wakes would wait for ever.
                loop.errors.unhandled(e);
                takeIn(entry);
            }
            if (ready >= FULL_QUEUE && loop.agenda.queue.size() > ready && !refusing) return;
        }
    }

    private void takeIn(Object entry) {
        if (entry instanceof ExecutionContext context) unblocked(context);
        else if (entry instanceof LibraryTask thread) loop.agenda.queue.addLast(thread.task());
        else if (entry instanceof Task task) tasks.add(task);
        else run((Runnable) entry);
    }

    private void beginTasks() {
        if (refusing) {
            // There may be millions of tasks. A thread of the JDK's hands them over one by one, so that the run can
            // end.
            ArrayDeque<Task> late = tasks;
            tasks = new ArrayDeque<>();
            VirtualThreads.runOrphan(() -> late.forEach(task -> orphan(task, null)));
            return;
        }
        int free = FULL_QUEUE - loop.agenda.queue.size();
        if (free <= 0 && ++passedOver == TICKS_PER_TASK) {
            passedOver = 0;
            free = 1;
        }
        for (; free > 0; free--) {
            Task next = tasks.poll();
            if (next == null) return;
            loop.spawner.spawnBrought(loop.mainScope, next.kind(), next.task(), next.site(), next.inheritance());
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            loop.errors.unhandled(e);
        }
    }

    /**
     * Queues a context that JDK code had parked. Ignores a wake-up of any other one: a thread dump makes the JDK
     * resubmit the threads that it looked at, and such a wake-up finds the context HELD or RUNNING.
     */
    private void unblocked(ExecutionContext context) {
        if (context.state != ExecutionContext.BLOCKED) return;
        ready(context);
        loop.agenda.blocked--;
    }

    /**
     * Queues the coroutine of a context. Changes nothing if there is no memory for a longer run queue:
     * {@link #runnable} repeats the call then.
     */
    private void ready(ExecutionContext context) {
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine == null || coroutine.isCompleted()) {
            loop.agenda.queue.addLast(context); // it waited for a lock when it was between two coroutines
        } else {
            loop.scheduler.enqueue(coroutine);
            Turns.unparked(coroutine, context);
            if (coroutine.takeSkippedTurn()) loop.scheduler.enqueue(coroutine);
        }
        context.state = ExecutionContext.READY;
    }

    boolean isStopped() {
        return stopped;
    }

    /** True once the run takes no more tasks from executors. Any thread. */
    boolean isRefusing() {
        return refusing || stopped;
    }

    void refuseTasks() {
        refusing = true;
    }

    /**
     * Hands all entries to the JDK's own scheduler, and from now on all that arrive, except actions that may be
     * dropped.
     */
    void stop() {
        stopped = true;
        backlog = 0;
        BiConsumer<Object, @Nullable Runnable> toTheJdk = RemoteQueue::orphan;
        tasks.forEach(task -> orphan(task, null));
        inbox.takeGathered(toTheJdk);
        inbox.takeAll(toTheJdk);
    }
}
