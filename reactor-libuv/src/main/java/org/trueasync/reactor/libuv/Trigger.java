package org.trueasync.reactor.libuv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.trueasync.spi.LoopTrigger;

/** Wakes a libuv loop. */
final class Trigger extends LoopTrigger {
    /*
     * The bell outlives every sender: a sender counts itself in before it touches the bell, unless the gate is closed;
     * close() closes the gate and waits for the few that are inside, who are in one system call that does not block. No locks: a virtual
     * thread can't unmount inside the gate, since nothing there parks.
     */
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final VarHandle SENDERS;

    static {
        try {
            SENDERS = MethodHandles.lookup().findVarHandle(Trigger.class, "senders", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Bell bell;
    private volatile int senders;

    Trigger(Bell bell) {
        this.bell = bell;
    }

    @Override
    protected void wake() {
        if ((int) SENDERS.getAndAdd(this, 1) >= 0) bell.ring();
        SENDERS.getAndAdd(this, -1);
    }

    /** Lets no sender in any more and returns when the last one is out; then the bell may be closed. */
    void close() {
        SENDERS.getAndBitwiseOr(this, CLOSED);
        while ((senders & ~CLOSED) != 0) Thread.onSpinWait();
    }
}
