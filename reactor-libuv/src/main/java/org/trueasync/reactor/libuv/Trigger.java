package org.trueasync.reactor.libuv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.trueasync.spi.LoopTrigger;

/** Wakes a libuv loop. */
final class Trigger extends LoopTrigger {
    /*
     * The bell outlives every sender: a sender is counted before it touches the bell, and does not touch it once the
     * gate is closed. close() closes the gate and waits for the senders inside, which are in one system call that does
     * not block. No locks: a virtual thread can't unmount inside the gate, since nothing there parks.
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

    /** Closes the gate and returns when the last sender has left; then the bell may be closed. */
    void close() {
        SENDERS.getAndBitwiseOr(this, CLOSED);
        while ((senders & ~CLOSED) != 0) Thread.onSpinWait();
    }
}
