package org.trueasync.internal.threads;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trueasync.internal.run.Machine;
import org.trueasync.internal.work.Workers;

/**
 * Flat combining: one thread at a time is inside, and changes the state. A thread that finds another one inside queues
 * its action and goes on; the thread inside runs the action. So a loop does not wait for a thread that the system has
 * taken off its processor, as it would with a lock; only {@link #enter} waits. (Hendler, Incze, Shavit and Tzafrir,
 * "Flat Combining and the Synchronization-Parallelism Tradeoff", 2010.)
 *
 * <p>An action is a few instructions: no user code, nothing that waits. Everything done inside before an action
 * happens-before it.
 */
final class FlatCombiner {
    /**
     * The largest number of other threads' actions that a thread runs as it enters, and again before a helper thread
     * takes its place: under steady load it would otherwise never leave.
     */
    private static final int MAX_COMBINED = 1_000;

    private static final int SPINS = Machine.parallelism() > 1 ? 64 : 0;

    private final AtomicBoolean occupied = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Runnable> queued = new ConcurrentLinkedQueue<>();

    /**
     * Enters if no thread is inside, or if the thread inside leaves while this one spins, {@link #SPINS} times.
     *
     * @return true if the caller is inside, and must {@link #leave}
     */
    boolean tryEnter() {
        boolean inside = enterIfFree();
        for (int i = 0; i < SPINS && !inside; i++) {
            Thread.onSpinWait();
            inside = enterIfFree();
        }
        if (inside) runQueued();
        return inside;
    }

    /** Enters, for calls that need their answer at once: spins until no thread is inside. */
    void enter() {
        while (!enterIfFree()) Thread.onSpinWait();
        runQueued();
    }

    private boolean enterIfFree() {
        return !occupied.get() && occupied.compareAndSet(false, true);
    }

    /**
     * Runs queued actions: the last thread inside may have missed one that was queued as it left, and that one comes
     * before the action of the thread that enters.
     */
    private void runQueued() {
        Runnable next;
        for (int combined = 0; combined < MAX_COMBINED && (next = queued.poll()) != null; combined++) next.run();
    }

    /** Runs the actions that others have queued meanwhile, and leaves. */
    void leave() {
        int combined = 0;
        while (true) {
            Runnable next;
            while ((next = queued.poll()) != null) {
                next.run();
                if (++combined >= MAX_COMBINED && handsOff()) return;
            }
            occupied.set(false);
            // A thread that queued an action between the last poll and this store has found it occupied.
            if (queued.isEmpty() || !enterIfFree()) return;
        }
    }

    /** Lets a helper thread go on in place of this one. False if the system gives none. */
    private boolean handsOff() {
        try {
            Workers.PROCESSES.execute(this::leave);
            return true;
        } catch (OutOfMemoryError noThread) {
            return false;
        }
    }

    /**
     * Runs an action inside: now, or soon by the thread that is inside.
     *
     * @param action must not throw
     */
    void run(Runnable action) {
        enqueue(action);
        if (enterIfFree()) leave();
    }

    /** Queues an action, as the first half of {@link #run}. The next thread inside runs it. */
    void enqueue(Runnable action) {
        queued.add(action);
    }
}
