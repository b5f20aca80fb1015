package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.queue.Inbox;
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
            Object task, Runnable command, @Nullable Inheritance inheritance) {}

    /** How many entries one tick takes in at most. */
    private static final int PORTION = 256;

    /**
     * While the run queue is at least this long, tasks begin only now and then: each would make the queue longer still.
     */
    private static final int FULL_QUEUE = 1_024;

    /** While the run queue is that long, one task begins each time this number of ticks has passed. */
    private static final int TICKS_PER_TASK = 16;

    /** If more tasks than this wait, they arrive faster than the loop can begin them. */
    static final int FLOOD_THRESHOLD = 100_000;

    /**
     * How long the thread that brings a further task is parked: too short to be noticed, long enough for the loop to
     * catch up.
     */
    static final long BACKPRESSURE_NANOS = 100_000;

    /** For how long a wake-up that meets a full heap is tried again. */
    static final long RETRY_NANOS = 5_000_000_000L;

    private final Scheduler scheduler;
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

    /**
     * True while more than {@link #FLOOD_THRESHOLD} tasks and other entries wait, and tasks are taken. Set by the loop
     * thread.
     */
    private volatile boolean flooded;

    /** The number of contexts that JDK code has parked. Set by the loop thread. */
    private int blocked;

    RemoteQueue(Scheduler scheduler) {
        this(scheduler, new Inbox());
    }

    /** For tests: with an inbox of their own. */
    RemoteQueue(Scheduler scheduler, Inbox inbox) {
        this.scheduler = scheduler;
        this.inbox = inbox;
    }

    /** Loads the classes of its entries, see {@link JdkPark#prepare}. */
    static void prepare() {
        Objects.requireNonNull(LibraryTask.class);
        Objects.requireNonNull(Task.class);
    }

    // ---- any thread

    /**
     * Runs an action in the loop's frame or in a tick. The action may only queue things.
     *
     * @param action dropped after the end of the run
     * @param orphan run by the JDK's scheduler instead if the run has ended; null to do nothing then
     */
    void post(Runnable action, @Nullable Runnable orphan) {
        addOrRetry(action, orphan);
    }

    /**
     * Has a coroutine begun for the task of an executor.
     *
     * @param task in the shape that {@link Tasks#run} takes
     * @param command what the task was made of; run by the JDK's scheduler if the task has not begun when the final
     *     phase of a shutdown begins
     * @param inheritance what the calling thread hands down, or null
     */
    void task(Object task, Runnable command, @Nullable Inheritance inheritance) {
        addOrRetry(new Task(task, command, inheritance), null);
        if (flooded) slowDown();
    }

    /**
     * Slows down a thread that brings tasks faster than the loop begins them. Otherwise they would fill the heap, and
     * the processors would do nothing but collect it. The thread is slowed, not stopped: the loop may be held by a
     * coroutine that waits for it. A virtual thread is not slowed, as it may be in a place where its scheduler forbids
     * it to park.
     */
    private static void slowDown() {
        if (!Thread.currentThread().isVirtual()) LockSupport.parkNanos(BACKPRESSURE_NANOS);
    }

    private void updateFlooded() {
        boolean now = !refusing && inbox.gathered() + tasks.size() > FLOOD_THRESHOLD;
        if (now != flooded) flooded = now;
    }

    /** Queues a context that JDK code had parked, or that yielded, and that can go on now. */
    void runnable(ExecutionContext context) {
        if (stopped || !scheduler.isLoopThread()) {
            addOrRetry(context, null);
            return;
        }
        try {
            readyHere(context);
        } catch (OutOfMemoryError e) {
            // This error ends the run, which frees the memory that was kept for that. If it were thrown, the JDK
            // would only park the loop thread for a while and ask again.
            scheduler.errors.unhandled(e);
            readyHere(context);
        }
    }

    private void readyHere(ExecutionContext context) {
        if (context.state == ExecutionContext.RUNNING) ready(context);
        else unblocked(context);
    }

    /** Queues a virtual thread that inherited our scheduler and can run now. */
    void libraryThreadRunnable(Runnable task) {
        if (stopped || !scheduler.isLoopThread()) {
            add(new LibraryTask(task), null);
            return;
        }
        try {
            scheduler.queue.addLast(task);
        } catch (OutOfMemoryError e) {
            scheduler.errors.unhandled(e);
            scheduler.queue.addLast(task);
        }
    }

    /** Adds an entry. Tries again for a while if the heap is full: a lost wake-up would not be repeated. */
    private void addOrRetry(Object entry, @Nullable Runnable orphan) {
        OutOfMemoryError full;
        long end = 0;
        do {
            try {
                add(entry, orphan);
                return;
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
        if (scheduler.isLoopThread() || now() - end > 0) return false;
        for (int i = 0; i < 1_000; i++) Thread.onSpinWait();
        return true;
    }

    /** The time, in nanoseconds. */
    long now() {
        return System.nanoTime();
    }

    private void add(Object entry, @Nullable Runnable orphan) {
        inbox.add(entry, orphan);
        if (stopped) inbox.takeAll(RemoteQueue::orphan);
        else if (polling) scheduler.reactor.trigger();
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

    int blocked() {
        return blocked;
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
        blocked++;
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
        updateFlooded();
    }

    private void gather() {
        // Once tasks are refused, little more can arrive: the limit is not needed.
        for (int i = 0; refusing || i < PORTION; i++) {
            Object entry = inbox.pollGathered();
            if (entry == null) return;
            try {
                takeIn(entry);
            } catch (OutOfMemoryError e) {
                // As in runnable: the entry is in the inbox no more, and what it wakes would wait for ever.
                scheduler.errors.unhandled(e);
                takeIn(entry);
            }
        }
    }

    private void takeIn(Object entry) {
        if (entry instanceof ExecutionContext context) unblocked(context);
        else if (entry instanceof LibraryTask thread) scheduler.queue.addLast(thread.task());
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
        int free = FULL_QUEUE - scheduler.queue.size();
        if (free <= 0 && ++passedOver == TICKS_PER_TASK) {
            passedOver = 0;
            free = 1;
        }
        for (; free > 0; free--) {
            Task next = tasks.poll();
            if (next == null) return;
            scheduler.spawner.spawnTaskUnowned(next.task(), next.inheritance());
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            scheduler.errors.unhandled(e);
        }
    }

    /**
     * Queues a context that JDK code had parked. Ignores a wake-up of any other one: a thread dump makes the JDK
     * resubmit the threads that it looked at, and such a wake-up finds the context HELD or RUNNING.
     */
    private void unblocked(ExecutionContext context) {
        if (context.state != ExecutionContext.BLOCKED) return;
        ready(context);
        blocked--;
    }

    /**
     * Queues the coroutine of a context. Changes nothing if there is no memory for a longer run queue:
     * {@link #runnable} repeats the call then.
     */
    private void ready(ExecutionContext context) {
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine == null || coroutine.isCompleted()) {
            scheduler.queue.addLast(context); // it waited for a lock when it was between two coroutines
        } else {
            scheduler.enqueue(coroutine);
            if (coroutine.takeSkippedTurn()) scheduler.enqueue(coroutine);
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

    /** Any thread. */
    boolean isFlooded() {
        return flooded;
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
        flooded = false;
        BiConsumer<Object, @Nullable Runnable> toTheJdk = RemoteQueue::orphan;
        tasks.forEach(task -> orphan(task, null));
        inbox.takeGathered(toTheJdk);
        inbox.takeAll(toTheJdk);
    }
}
