package org.trueasync.reactor.libuv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Wakes the loop from any thread. */
final class Trigger {
    /*
     * A system call is made only for a loop that may be asleep, and only by the first of several triggers:
     *
     *   1. AWAKE     -> TRIGGERED  trigger(): the loop will see it before it waits
     *   2. AWAKE     -> WAITING    beginWait()
     *   3. WAITING   -> TRIGGERED  trigger(): and one uv_async_send
     *   4. TRIGGERED -> AWAKE      beginWait() refuses to wait, or endWait()
     *   5. WAITING   -> AWAKE      endWait()
     *
     * None is lost: who finds TRIGGERED and leaves at once did so before 4, hence the turn that 4 belongs to ends after that, and its
     * caller sees what was handed over before (both sides are volatile). A send that comes late, when the loop is awake again, makes one
     * later turn return early.
     *
     * The handle's memory outlives every sender: a sender counts itself in before it touches the handle, unless the gate is closed;
     * close() closes the gate and waits for the few that are inside, who are in one system call that does not block. No locks: a virtual
     * thread can't unmount inside the gate, since nothing there parks.
     */
    private static final int AWAKE = 0;
    private static final int WAITING = 1;
    private static final int TRIGGERED = 2;
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final VarHandle STATE;
    private static final VarHandle SENDERS;

    static {
        try {
            var lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Trigger.class, "state", int.class);
            SENDERS = lookup.findVarHandle(Trigger.class, "senders", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final long async;
    private volatile int state;
    private volatile int senders;
    private int sent;

    Trigger(long async) {
        this.async = async;
    }

    /** Any thread, at any time. */
    void trigger() {
        if (state == TRIGGERED) return;
        if ((int) STATE.getAndSet(this, TRIGGERED) == WAITING) send();
    }

    private void send() {
        if ((int) SENDERS.getAndAdd(this, 1) >= 0) {
            sent++; // for tests; a race between two senders loses a count and nothing else
            Uv.asyncSend(async);
        }
        SENDERS.getAndAdd(this, -1);
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

    /** Lets no sender in any more and returns when the last one is out; then the handle may be closed. */
    void close() {
        SENDERS.getAndBitwiseOr(this, CLOSED);
        while ((senders & ~CLOSED) != 0) Thread.onSpinWait();
    }

    /** System calls made, about. */
    int sent() {
        return sent;
    }
}
