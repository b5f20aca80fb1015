package org.trueasync.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Implements a reactor's {@link Reactor#trigger}: wakes the loop from any thread, with a system call only if the loop
 * may be asleep. Several triggers are merged into one. None is lost: what a caller handed over before its trigger, the
 * loop sees after the waiting turn that the trigger ends or prevents.
 *
 * <p>Any thread may trigger; the rest is for the loop thread only.
 */
public abstract class LoopTrigger {
    /*
     *   1. AWAKE     -> TRIGGERED  trigger(): the loop will see it before it waits
     *   2. AWAKE     -> WAITING    beginWait()
     *   3. WAITING   -> TRIGGERED  trigger(): and one wake()
     *   4. TRIGGERED -> AWAKE      beginWait() refuses to wait, or endWait()
     *   5. WAITING   -> AWAKE      endWait()
     *
     * No trigger is lost: a caller that finds TRIGGERED and returns at once read it before step 4. So the turn of step
     * 4 ends later, and the loop then sees what was handed over before (both accesses are volatile). A wake() that
     * comes late, when the loop is awake again, makes one later turn return early.
     */
    private static final int AWAKE = 0;
    private static final int WAITING = 1;
    private static final int TRIGGERED = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(LoopTrigger.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile int state;
    private int wakeUps;

    /** A trigger of a loop that is awake. */
    protected LoopTrigger() {}

    /**
     * Wakes a loop that waits or is about to wait, by one system call that does not block. Any thread, also after the
     * reactor's end.
     */
    protected abstract void wake();

    /** Wakes the loop if it waits, or keeps its next turn from waiting. Any thread, at any time; wait-free. */
    public final void trigger() {
        if (state == TRIGGERED) return;
        if ((int) STATE.getAndSet(this, TRIGGERED) != WAITING) return;
        wakeUps++; // for tests; in a race of two callers one count may be lost
        wake();
    }

    /**
     * Begins a waiting turn. False if the loop has been triggered already and must not wait. {@link #endWait} follows
     * in both cases. Loop thread.
     */
    public final boolean beginWait() {
        if (STATE.compareAndSet(this, AWAKE, WAITING)) return true;
        state = AWAKE;
        return false;
    }

    /** Ends a waiting turn, also one whose {@link #beginWait} returned false. Loop thread. */
    public final void endWait() {
        state = AWAKE;
    }

    /** Number of wake-ups sent, approximately; for tests. */
    public final int sent() {
        return wakeUps;
    }
}
