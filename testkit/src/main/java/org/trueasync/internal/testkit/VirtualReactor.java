package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
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
 *
 * <p>With a {@link Chance} computing takes time, the loop wakes late, and what the world outside completes comes in any order.
 */
public class VirtualReactor implements Reactor {
    private final Semaphore triggers = new Semaphore(0);
    private final @Nullable Chance chance;
    private final Completions completions;
    private final SplittableRandom random;
    private volatile long now;
    private volatile @Nullable Runnable question;
    private long alarm = Long.MAX_VALUE;
    private boolean closed;
    private int turns;
    private int waitingTurns;

    /** A reactor whose time is 0. */
    public VirtualReactor() {
        this(0, null);
    }

    /**
     * A reactor whose time is 0.
     *
     * @param seed of {@link #random}
     * @param chance what decides about the world outside; null for a world where computing takes no time
     */
    public VirtualReactor(long seed, @Nullable Chance chance) {
        this.random = new SplittableRandom(seed).split();
        this.chance = chance;
        this.completions = new Completions(chance);
    }

    @Override
    public String description() {
        return "virtual time";
    }

    @Override
    public boolean isTimeVirtual() {
        return true;
    }

    @Override
    public long nanoTime() {
        if (chance != null) advance(chance.computing());
        return now;
    }

    /** Random numbers for the program that runs. */
    public SplittableRandom random() {
        return random;
    }

    /** As {@link #nanoTime}, for those who only want to know: no time passes. */
    public long now() {
        return now;
    }

    /**
     * Lets time pass, as a long computation would.
     *
     * @param nanos >= 0
     */
    public void advance(long nanos) {
        long then = now + nanos; // one thread writes
        now = then;
    }

    /**
     * Something that the world outside completes, in a later turn. Loop thread.
     *
     * @param completion called in that turn, as a handle's listener is
     */
    public void expect(Runnable completion) {
        completions.add(completion);
    }

    /**
     * What was expected does not happen. Loop thread.
     *
     * @param completion given to {@link #expect}
     */
    public void withdraw(Runnable completion) {
        completions.remove(completion);
    }

    /**
     * Has something looked at on the loop, in its next turn; one that waits ends at once. Any thread.
     *
     * @param look does not wait
     */
    public void ask(Runnable look) {
        question = look;
        trigger();
    }

    private void answer() {
        Runnable look = question;
        if (look == null) return;
        question = null;
        look.run();
    }

    /** How much of what was expected has not happened. Loop thread. */
    public int expected() {
        return completions.size();
    }

    @Override
    public void execute(boolean noWait) {
        turn(noWait);
        answer();
    }

    private void turn(boolean noWait) {
        turns++;
        boolean woken = triggers.drainPermits() > 0;
        boolean mayWait = !noWait && !woken;
        if (mayWait) waitingTurns++;
        if (!mayWait) {
            completions.happen(0);
        } else if (completions.comesBefore(alarm != Long.MAX_VALUE)) {
            if (chance != null && alarm != Long.MAX_VALUE) advance(chance.upTo(alarm - now));
            completions.happen(1);
        } else if (alarm != Long.MAX_VALUE) {
            now = Math.max(now, alarm);
            if (chance != null) advance(chance.lateness());
        } else {
            triggers.acquireUninterruptibly();
        }
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
    public boolean hasDescriptors() {
        return false;
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
