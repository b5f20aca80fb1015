package org.trueasync.internal.testkit;

import java.net.InetSocketAddress;
import java.util.PriorityQueue;
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
 * turn waits in real time for a trigger: of a JDK socket or a JDK timer, for instance. TCP between the coroutines of
 * the run is simulated.
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
    private final VirtualNetwork network;
    private final PriorityQueue<Moment> moments = new PriorityQueue<>();
    private long momentsSoFar;
    private long alarm = Long.MAX_VALUE;
    private boolean closed;
    private int turns;
    private int waitingTurns;

    /** What happens at a time; of two at the same time the one that was planned first. */
    private record Moment(long time, long number, Runnable event) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

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
        this.network = new VirtualNetwork(this, chance);
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
     * Has something happen at a time, in a later turn, and before a timer that is due then. Loop thread.
     *
     * @param nanos from now, >= 0
     * @param event called in that turn, like a listener of a handle
     */
    void after(long nanos, Runnable event) {
        moments.add(new Moment(now + nanos, momentsSoFar++, event));
    }

    private long nextTime() {
        Moment next = moments.peek();
        return next == null ? alarm : Math.min(alarm, next.time);
    }

    private void momentsPass() {
        long until = now;
        Moment next;
        while ((next = moments.peek()) != null && next.time <= until) {
            moments.remove();
            next.event.run();
        }
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
        long next = nextTime();
        if (!mayWait) {
            completions.happen(0);
        } else if (completions.completesBeforeAlarm(next != Long.MAX_VALUE)) {
            if (chance != null && next != Long.MAX_VALUE) advance(chance.atMost(next - now));
            completions.happen(1);
        } else if (next != Long.MAX_VALUE) {
            now = Math.max(now, next);
            if (chance != null) advance(chance.latenessNanos());
        } else {
            triggers.acquireUninterruptibly();
        }
        momentsPass();
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
        return network.listen(local, options, listener);
    }

    @Override
    public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        return network.connect(remote, listener);
    }

    @Override
    public int openHandles() {
        return network.openHandles();
    }

    /** True after {@link #close}. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        network.end();
    }
}
