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
 * A reactor with virtual time and without an operating system: a waiting turn jumps to the alarm at once. It is
 * deterministic. A deadlock is found immediately, because no real time has to pass.
 *
 * <p>A trigger from another thread comes before a jump. Without an alarm and without a pending completion, a waiting
 * turn waits in real time for a trigger: of a JDK socket or a JDK timer, for instance.
 *
 * <p>With a {@link Chance} computing takes time, the loop wakes late, and completions of the world outside come in any
 * order.
 */
public class VirtualReactor implements Reactor {
    private final Semaphore triggers = new Semaphore(0);
    private final @Nullable Chance chance;
    private final Completions completions;
    private final SplittableRandom random;
    private volatile long now;
    private volatile @Nullable Runnable posted;
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
     * @param seed the seed of {@link #random}
     * @param chance the decisions about the world outside; null: computing takes no time, completions come in the order
     *     of the calls
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
        if (chance != null) advance(chance.computingNanos());
        return now;
    }

    /** Random numbers for the body of the run. */
    public SplittableRandom random() {
        return random;
    }

    /** The time, as {@link #nanoTime}, but reading it lets no time pass. */
    public long now() {
        return now;
    }

    /**
     * Advances the time, like a long computation.
     *
     * @param nanos >= 0
     */
    public void advance(long nanos) {
        long then = now + nanos; // only one thread writes
        now = then;
    }

    /**
     * Adds a completion of the world outside, which happens in a later turn. Loop thread.
     *
     * @param completion called in that turn, like a listener of a handle
     */
    public void expect(Runnable completion) {
        completions.add(completion);
    }

    /**
     * Removes an expected completion that will not happen. Loop thread.
     *
     * @param completion as given to {@link #expect}
     */
    public void withdraw(Runnable completion) {
        completions.remove(completion);
    }

    /**
     * Runs an action on the loop, at the end of its next turn; a waiting turn ends at once. Replaces an action that has
     * not run yet. Any thread.
     *
     * @param action the action; must not wait
     */
    public void runOnLoop(Runnable action) {
        posted = action;
        trigger();
    }

    private void runPosted() {
        Runnable action = posted;
        if (action == null) return;
        posted = null;
        action.run();
    }

    /** Number of expected completions that have not happened. Loop thread. */
    public int expected() {
        return completions.size();
    }

    @Override
    public void execute(boolean noWait) {
        turn(noWait);
        runPosted();
    }

    private void turn(boolean noWait) {
        turns++;
        boolean woken = triggers.drainPermits() > 0;
        boolean mayWait = !noWait && !woken;
        if (mayWait) waitingTurns++;
        if (!mayWait) {
            completions.happen(0);
        } else if (completions.completesBeforeAlarm(alarm != Long.MAX_VALUE)) {
            if (chance != null && alarm != Long.MAX_VALUE) advance(chance.atMost(alarm - now));
            completions.happen(1);
        } else if (alarm != Long.MAX_VALUE) {
            now = Math.max(now, alarm);
            if (chance != null) advance(chance.latenessNanos());
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

    /** Number of turns so far. */
    public int turns() {
        return turns;
    }

    /** Number of turns so far that were allowed to wait. */
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
