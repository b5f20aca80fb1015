package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.TcpHandle;

/**
 * A reactor without an operating system and with a time of its own: a waiting turn jumps to the alarm at once. Deterministic, and a program that is
 * stuck is found out immediately, as no real time has to pass.
 *
 * <p>A trigger from another thread goes before a jump. With no alarm a waiting turn waits, in real time, for the trigger of whoever was
 * expected to wake someone: a socket, a JDK timer.
 */
public class VirtualReactor implements Reactor {
    private final Semaphore triggers = new Semaphore(0);
    private volatile long now;
    private long alarm = Long.MAX_VALUE;
    private boolean closed;
    private int turns;
    private int waitingTurns;

    /** A reactor whose time is 0. */
    public VirtualReactor() {}

    @Override
    public String description() {
        return "virtual time";
    }

    @Override
    public long nanoTime() {
        return now;
    }

    /**
     * Lets time pass, as a long computation would.
     *
     * @param nanos >= 0
     */
    public void advance(long nanos) {
        now += nanos;
    }

    @Override
    public void execute(boolean noWait) {
        turns++;
        if (triggers.drainPermits() > 0 || noWait) return;
        waitingTurns++;
        if (alarm != Long.MAX_VALUE) now = Math.max(now, alarm);
        else triggers.acquireUninterruptibly();
    }

    @Override
    public void alarm(long deadline) {
        alarm = deadline;
    }

    @Override
    public void trigger() {
        triggers.release();
    }

    /** Turns so far. */
    public int turns() {
        return turns;
    }

    /** Turns so far that were allowed to wait. */
    public int waitingTurns() {
        return waitingTurns;
    }

    @Override
    public PollHandle poll(int descriptor, PollHandle.Listener listener) {
        throw new UnsupportedOperationException("the virtual-time reactor has no descriptors");
    }

    @Override
    public ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        throw new UnsupportedOperationException("the virtual-time reactor has no sockets");
    }

    @Override
    public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        throw new UnsupportedOperationException("the virtual-time reactor has no sockets");
    }

    @Override
    public int openHandles() {
        return 0;
    }

    /** True after {@link #close}. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
    }
}
