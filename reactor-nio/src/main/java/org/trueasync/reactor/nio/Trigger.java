package org.trueasync.reactor.nio;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.Selector;

/** Wakes the loop from any thread. */
final class Trigger {
    /*
     * A system call is made only for a loop that may be asleep, and only by the first of several triggers:
     *
     *   1. AWAKE     -> TRIGGERED  trigger(): the loop will see it before it waits
     *   2. AWAKE     -> WAITING    beginWait()
     *   3. WAITING   -> TRIGGERED  trigger(): and one wakeup
     *   4. TRIGGERED -> AWAKE      beginWait() refuses to wait, or endWait()
     *   5. WAITING   -> AWAKE      endWait()
     *
     * None is lost: who finds TRIGGERED and leaves at once did so before 4, hence the turn that 4 belongs to ends after that, and its
     * caller sees what was handed over before (both sides are volatile). A wakeup that comes late, when the loop is awake again, makes one later
     * turn return early. A selector that is closed takes wakeups, and does nothing.
     */
    private static final int AWAKE = 0;
    private static final int WAITING = 1;
    private static final int TRIGGERED = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Trigger.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Selector selector;
    private volatile int state;
    private int sent;

    Trigger(Selector selector) {
        this.selector = selector;
    }

    /** Any thread, at any time. */
    void trigger() {
        if (state == TRIGGERED) return;
        if ((int) STATE.getAndSet(this, TRIGGERED) != WAITING) return;
        sent++; // for tests; a race between two senders loses a count and nothing else
        selector.wakeup();
    }

    /** Before a waiting turn; false if it has been triggered already and must not wait. */
    boolean beginWait() {
        if (STATE.compareAndSet(this, AWAKE, WAITING)) return true;
        state = AWAKE;
        return false;
    }

    /** After a waiting turn, also one that began with false. */
    void endWait() {
        state = AWAKE;
    }

    /** Wakeups made, about. */
    int sent() {
        return sent;
    }
}
