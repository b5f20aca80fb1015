package org.trueasync.internal.threads;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trueasync.internal.work.Workers;

/**
 * Lets one thread at a time change some state, and keeps nobody waiting: who comes while somebody is inside leaves what it wants done with him, and goes on.
 * So a loop is never held up by a thread that the system has taken off its processor, as it would be by a lock, however short.
 *
 * <p>What happens inside is a few instructions: no user code, nothing that waits. It sees what was done inside before.
 */
final class FlatCombiner {
    /** Who is inside does this much for others at the most: in a storm it would never come out. */
    private static final int MAX_COMBINED = 1_000;

    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 64 : 0;

    private final AtomicBoolean occupied = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Runnable> left = new ConcurrentLinkedQueue<>();

    /**
     * Enters if nobody is inside, or comes out within a microsecond.
     *
     * @return true if the caller is inside, and must {@link #leave}
     */
    boolean tryEnter() {
        boolean inside = enterIfFree();
        for (int i = 0; i < SPINS && !inside; i++) {
            Thread.onSpinWait();
            inside = enterIfFree();
        }
        if (inside) doWhatIsLeft();
        return inside;
    }

    /** Enters, for calls that must have their answer at once: spins until whoever is inside has done his few instructions. */
    void enter() {
        while (!enterIfFree()) Thread.onSpinWait();
        doWhatIsLeft();
    }

    private boolean enterIfFree() {
        return !occupied.get() && occupied.compareAndSet(false, true);
    }

    /** Whoever was inside may have come out without having seen what was left last: it comes before what the one that enters wants. */
    private void doWhatIsLeft() {
        Runnable next;
        for (int favours = 0; favours < MAX_COMBINED && (next = left.poll()) != null; favours++) next.run();
    }

    /** Does what others have left meanwhile, and comes out. */
    void leave() {
        int favours = 0;
        while (true) {
            Runnable next;
            while ((next = left.poll()) != null) {
                next.run();
                if (++favours >= MAX_COMBINED && isHandedOn()) return;
            }
            occupied.set(false);
            // Who left something between the last look and this has found it occupied.
            if (left.isEmpty() || !enterIfFree()) return;
        }
    }

    /** Somebody has to go on: a thread that has nothing else to do. False if there is none to be had. */
    private boolean isHandedOn() {
        try {
            Workers.PROCESSES.execute(this::leave);
            return true;
        } catch (OutOfMemoryError noThread) {
            return false;
        }
    }

    /**
     * Has something done inside: now, or in a moment by whoever is there.
     *
     * @param action must not throw
     */
    void run(Runnable action) {
        leaveForWhoIsInside(action);
        if (enterIfFree()) leave();
    }

    /** What {@link #run} begins with. Who enters next does it. */
    void leaveForWhoIsInside(Runnable action) {
        left.add(action);
    }
}
