package org.trueasync.internal.kernel;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What reaches the loop from outside of its own coroutines: wake-ups of coroutines that JDK code has parked, virtual threads that libraries
 * started on our loop, actions posted by other threads. After the end of the run all of it is handed to the JDK's own scheduler, so that nobody
 * who still holds a thread or an executor of ours hangs.
 */
final class Arrivals {
    /** A virtual thread's task, other than a context's. */
    private record Guest(Runnable task) {}

    /** Something to do on the loop thread, and what to do with it if there is no loop any more. */
    private record Posted(Runnable action, @Nullable Runnable orphan) {}

    private final Scheduler scheduler;
    private final Inbox inbox = new Inbox();

    /** True while the loop may wait in the reactor; whoever fills the inbox then must trigger it. */
    private volatile boolean asleep;

    private volatile boolean stopped;

    private volatile boolean refusing;

    /** Coroutines that JDK code has parked. Loop thread. */
    private int blocked;

    Arrivals(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    // ---- any thread

    /**
     * Runs an action in the loop's frame or in a tick; it may only queue things.
     *
     * @param action dropped after the end of the run
     * @param orphan run by the JDK's scheduler instead if the run has ended; null to do nothing then
     */
    void post(Runnable action, @Nullable Runnable orphan) {
        leave(new Posted(action, orphan));
    }

    /** A context that JDK code had parked, or that yielded, can go on. */
    void runnable(ExecutionContext context) {
        if (stopped || !scheduler.isLoopThread()) leave(context);
        else if (context.state == ExecutionContext.RUNNING) ready(context);
        else unblocked(context);
    }

    /** A virtual thread that inherited our scheduler can run. */
    void guestRunnable(Runnable task) {
        if (stopped || !scheduler.isLoopThread()) leave(new Guest(task));
        else scheduler.enqueueGuest(task);
    }

    private void leave(Object entry) {
        inbox.add(entry);
        if (stopped) inbox.takeAll(Arrivals::orphan);
        else if (asleep) scheduler.reactor.trigger();
    }

    private static void orphan(Object entry) {
        if (entry instanceof ExecutionContext context) context.orphan();
        else if (entry instanceof Guest guest) VirtualThreads.runOrphan(guest.task());
        else if (entry instanceof Posted posted && posted.orphan() != null) VirtualThreads.runOrphan(posted.orphan());
    }

    /** True while the loop waits in the reactor, or is about to. */
    boolean isAsleep() {
        return asleep;
    }

    // ---- the loop thread

    boolean isEmpty() {
        return inbox.isEmpty();
    }

    int blocked() {
        return blocked;
    }

    /** The loop is about to wait; false if something has arrived meanwhile, so that it must not. */
    boolean fallAsleep() {
        asleep = true;
        return inbox.isEmpty();
    }

    void awake() {
        if (asleep) asleep = false;
    }

    /** JDK code has parked a context. */
    void parked(ExecutionContext context) {
        context.state = ExecutionContext.BLOCKED;
        blocked++;
    }

    /** Takes in everything that has arrived by now; who goes on sending does not hold up the loop. */
    void drain() {
        if (!inbox.gather()) return;
        Object entry;
        while ((entry = inbox.pollGathered()) != null) {
            if (entry instanceof ExecutionContext context) unblocked(context);
            else if (entry instanceof Guest guest) scheduler.enqueueGuest(guest.task());
            else run(((Posted) entry).action());
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
     * A wake-up that came from outside. Whoever takes a thread dump makes the JDK resubmit the threads that it looked at: such a wake-up finds
     * the context HELD or RUNNING and means nothing.
     */
    private void unblocked(ExecutionContext context) {
        if (context.state != ExecutionContext.BLOCKED) return;
        blocked--;
        ready(context);
    }

    private void ready(ExecutionContext context) {
        context.state = ExecutionContext.READY;
        CoroutineImpl<?> coroutine = context.coroutine;
        if (coroutine == null || coroutine.isCompleted()) {
            scheduler.queue.addLast(context); // it had met a lock between two coroutines
            return;
        }
        scheduler.enqueue(coroutine);
        if (coroutine.takeMissedTurn()) scheduler.enqueue(coroutine);
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

    /** From now on everything goes to the JDK's own scheduler; what is here as well. */
    void stop() {
        stopped = true;
        Consumer<Object> toTheJdk = Arrivals::orphan;
        Object entry;
        while ((entry = inbox.pollGathered()) != null) toTheJdk.accept(entry);
        inbox.takeAll(toTheJdk);
    }
}
