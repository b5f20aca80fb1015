package org.trueasync.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a reactor's {@link Reactor#trigger} is made of: wakes the loop from any thread, and costs a system call only where the loop may be asleep.
 * Several triggers are merged into one. None is lost: what its caller handed over before is seen after the turn that it ends, or that it keeps from
 * waiting.
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
     * None is lost: who finds TRIGGERED and leaves at once did so before 4, hence the turn that 4 belongs to ends after that, and its
     * caller sees what was handed over before (both sides are volatile). A wake() that comes late, when the loop is awake again, makes one
     * later turn return early.
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
    private int sent;

    /** For a loop that is awake. */
    protected LoopTrigger() {}

    /** Wakes a loop that waits, or is about to: one system call that does not block. Any thread, also after the reactor's end. */
    protected abstract void wake();

    /** Any thread, at any time; wait-free. */
    public final void trigger() {
        if (state == TRIGGERED) return;
        if ((int) STATE.getAndSet(this, TRIGGERED) != WAITING) return;
        sent++; // for tests; a race between two senders loses a count and nothing else
        wake();
    }

    /** Loop thread, before a waiting turn; false if it has been triggered already and must not wait. {@link #endWait} follows either way. */
    public final boolean beginWait() {
        if (STATE.compareAndSet(this, AWAKE, WAITING)) return true;
        state = AWAKE;
        return false;
    }

    /** Loop thread, after a waiting turn, also one that began with false. */
    public final void endWait() {
        state = AWAKE;
    }

    /** How often the loop was woken, about. */
    public final int sent() {
        return sent;
    }
}
