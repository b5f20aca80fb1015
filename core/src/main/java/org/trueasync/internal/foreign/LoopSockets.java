package org.trueasync.internal.foreign;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.PollException;
import org.trueasync.internal.jdk.SocketPolls;
import org.trueasync.internal.time.ReactorClock;
import org.trueasync.spi.Reactor;

/**
 * The sockets and selectors for which JDK code has parked threads of this loop: the loop's own reactor polls them,
 * rather than a thread of the JDK's. Loop thread, except {@link #pollForPinned}, {@link #rescues} and the static
 * methods.
 *
 * <p>A pinned thread parks together with the loop; then nothing polls. To ask the JDK whether a thread is pinned costs
 * more than the poll, and the answer depends on whether the code was compiled. So {@link PinnedWaits} looks from
 * another thread: a thread that has registered and has not left the loop for a while is woken for no reason, and the
 * JDK's pollers watch its next try.
 */
public final class LoopSockets {
    /** The number of waits after a pinned one that are left to the JDK: pinned waits seldom come alone. */
    private static final int LEFT_TO_JDK = 100;

    /** The loops of this process. */
    public interface Loops {
        /** The sockets of the loop of the calling thread, which may be any virtual thread; null where there is none. */
        @Nullable
        LoopSockets here();

        /** The sockets of all loops. Any thread. */
        List<LoopSockets> all();
    }

    /** Tells what waits for the sockets of a loop. */
    public interface Waiters {
        /** The number of the coroutine or thread that runs now; unique on this loop. */
        long waiterHere();

        /**
         * Called when the coroutine or thread that runs now begins a wait, or has ended it.
         *
         * @param descriptor what it waits for, for reports; negative for nothing
         */
        void waitsFor(int descriptor);
    }

    private final Reactor reactor;
    private final ReactorClock clock;
    private final Waiters waiters;
    private @Nullable DescriptorWaits reads;
    private @Nullable DescriptorWaits writes;

    /** True if the loop can't poll, and once the run has ended. */
    private boolean unavailable;

    // Read by another thread, in a race.

    /** The thread that has registered last and is not known to have left the loop. */
    private @Nullable Thread arriving;

    private int arrivals;

    /** How many more waits are left to the JDK. */
    private int leftToJdk;

    // Used by the other thread only.
    private @Nullable Thread suspect;
    private int arrivalsThen;

    /** How many threads were woken for no reason. */
    private int rescues;

    /**
     * The sockets of a loop.
     *
     * @param reactor that polls
     * @param clock the loop's
     * @param waiters tells what waits on the loop
     */
    public LoopSockets(Reactor reactor, ReactorClock clock, Waiters waiters) {
        this.reactor = reactor;
        this.clock = clock;
        this.waiters = waiters;
        this.unavailable = !reactor.hasDescriptors();
    }

    /**
     * Replaces the JDK's pollers. Before the first run of the process; a second call does nothing. Changes nothing
     * where this JDK has other pollers.
     *
     * @param loops of the process
     */
    public static void install(Loops loops) {
        PinnedWaits.install(loops);
        // asked by virtual threads of all kinds, on loops and elsewhere
        SocketPolls.install(new SocketPolls.Watcher() {
            @Override
            public boolean watch(int descriptor, SocketPolls poller) {
                LoopSockets here = loops.here();
                return here != null && here.begins(descriptor, poller);
            }

            @Override
            public boolean unwatch(int descriptor, SocketPolls poller, boolean polled) {
                LoopSockets here = loops.here();
                return here != null && here.ended(descriptor, poller, polled);
            }
        });
    }

    /** See {@link org.trueasync.spi.SchedulerProvider#socketPolling}. Once {@link #install} has been called. */
    public static String description(Reactor reactor) {
        if (!reactor.hasDescriptors()) return "the JDK, as this reactor has no descriptors";
        String refusal = SocketPolls.refusal();
        return refusal == null ? "the loop" : "the JDK, as its pollers can't be replaced: " + refusal;
    }

    /** How many handles of the reactor poll these sockets. */
    public int handles() {
        return (reads == null ? 0 : 1) + (writes == null ? 0 : 1);
    }

    private boolean begins(int descriptor, SocketPolls poller) {
        waiters.waitsFor(descriptor);
        return watch(descriptor, poller);
    }

    private boolean ended(int descriptor, SocketPolls poller, boolean polled) {
        waiters.waitsFor(-1);
        return unwatch(descriptor, poller, polled);
    }

    private boolean watch(int descriptor, SocketPolls poller) {
        if (unavailable || leavesToJdk()) return false;
        DescriptorWaits waits = waits(poller.isForReading());
        if (waits == null || !waits.add(descriptor, poller, waiters.waiterHere())) return false;
        arrivals++;
        arriving = Thread.currentThread();
        PinnedWaits.noticed();
        return true;
    }

    /** Counts one of the waits that are left to the JDK; false if there is none. */
    private boolean leavesToJdk() {
        if (leftToJdk == 0) return false;
        leftToJdk--;
        return true;
    }

    private boolean unwatch(int descriptor, SocketPolls poller, boolean polled) {
        arriving = null;
        DescriptorWaits waits = poller.isForReading() ? reads : writes;
        return waits != null && waits.remove(descriptor, polled);
    }

    private @Nullable DescriptorWaits waits(boolean read) {
        DescriptorWaits waits = read ? reads : writes;
        if (waits != null) return waits;
        try {
            waits = new DescriptorWaits(reactor, clock, read);
        } catch (LinkageError e) {
            unavailable = true;
            return null;
        } catch (IOException | PollException e) {
            return null; // no descriptor left; there may be one next time
        }
        if (read) reads = waits;
        else writes = waits;
        return waits;
    }

    /** Notes that the thread that ran last has left the loop. In the loop's frame. */
    public void left() {
        arriving = null;
    }

    /**
     * Wakes a thread that has been about to leave since the last poll: it may be pinned and so hold the loop. Another
     * thread.
     *
     * @return false if no thread is about to leave, and none has registered since then
     */
    boolean pollForPinned() {
        Thread now = arriving;
        int count = arrivals;
        boolean same = count == arrivalsThen;
        if (now != null && same && now == suspect) {
            leftToJdk = LEFT_TO_JDK;
            rescues++;
            LockSupport.unpark(now);
        }
        suspect = now;
        arrivalsThen = count;
        return now != null || !same;
    }

    /**
     * True if a poll may end waits, so that they need no {@link #confirm}. True at most once until there is another
     * wait.
     */
    public boolean isPollWorthwhile() {
        return reads != null && reads.isPollWorthwhile();
    }

    /**
     * Confirms waits, so that none is lost; to be called before each poll. In the loop's frame.
     *
     * @param all whether the loop may sleep now
     * @return true if this has woken a thread, so that the loop must not sleep
     */
    public boolean confirm(boolean all) {
        boolean woken = reads != null && reads.confirm(all);
        if (writes != null) woken |= writes.confirm(all);
        return woken;
    }

    /** How many descriptors the loop polls; for tests. */
    public int waiting() {
        return (reads == null ? 0 : reads.count()) + (writes == null ? 0 : writes.count());
    }

    /** How many pinned threads were woken; for tests, in a race. */
    public int rescues() {
        return rescues;
    }

    /**
     * Ends polling, as the run has ended: threads that still wait are woken and try again, and the JDK's pollers watch
     * them. In the loop's frame.
     */
    public void stop() {
        unavailable = true;
        if (reads != null) reads.close();
        if (writes != null) writes.close();
        reads = writes = null;
    }
}
