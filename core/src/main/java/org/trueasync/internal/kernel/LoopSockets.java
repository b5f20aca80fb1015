package org.trueasync.internal.kernel;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.PollException;
import org.trueasync.internal.jdk.SocketPolls;
import org.trueasync.spi.Reactor;

/**
 * The sockets and selectors for which JDK code has parked threads of this loop: the loop's own reactor polls them, rather than a thread of the JDK's. Loop thread, but
 * for {@link #lookForPinned}.
 *
 * <p>A thread that can't leave the loop parks with the loop under it; then nobody polls. The JDK's own answer to whether a thread is pinned costs more than the poll, and
 * depends on whether the code was compiled. So {@link PinnedWaits} looks from outside: a thread that has registered and not left for a while is woken for no reason, and
 * the JDK's pollers watch its next try.
 */
final class LoopSockets {
    /** So many waits after a pinned one are left to the JDK: pinned ones seldom come alone. */
    private static final int LEFT_TO_JDK = 100;

    /** Asked by virtual threads of all kinds, on loops and elsewhere. */
    private static final SocketPolls.Watcher WATCHER = new SocketPolls.Watcher() {
        @Override
        public boolean watch(int descriptor, SocketPolls poller) {
            Scheduler here = Runtimes.schedulerOrNull();
            return here != null && here.sockets.begins(descriptor, poller);
        }

        @Override
        public boolean unwatch(int descriptor, SocketPolls poller, boolean polled) {
            Scheduler here = Runtimes.schedulerOrNull();
            return here != null && here.sockets.ended(descriptor, poller, polled);
        }
    };

    private final Scheduler scheduler;
    private @Nullable DescriptorWaits reads;
    private @Nullable DescriptorWaits writes;

    /** Also once the run has ended. */
    private boolean unavailable;

    // Read by another thread, in a race.

    /** Has registered, and is not known to have left the loop. */
    private @Nullable Thread arriving;

    private int arrivals;

    /** How many waits are left to the JDK yet. */
    private int leftToJdk;

    // The other thread's.
    private @Nullable Thread suspect;
    private int arrivalsThen;

    /** How many threads it has woken for no reason. */
    private int rescues;

    LoopSockets(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.unavailable = !scheduler.reactor.hasDescriptors();
    }

    /** Before the first run of the process. Changes nothing where this JDK has other pollers. */
    static void install() {
        SocketPolls.install(WATCHER);
    }

    /** See {@link org.trueasync.spi.SchedulerProvider#socketPolling}. */
    static String description(Reactor reactor) {
        if (!reactor.hasDescriptors()) return "the JDK, as this reactor has no descriptors";
        install();
        String refusal = SocketPolls.refusal();
        return refusal == null ? "the loop" : "the JDK, as its pollers can't be replaced: " + refusal;
    }

    /** How many handles of the reactor are in use for this. */
    int handles() {
        return (reads == null ? 0 : 1) + (writes == null ? 0 : 1);
    }

    private boolean begins(int descriptor, SocketPolls poller) {
        ExecutionContext context = contextHere();
        if (context != null) context.socket = descriptor;
        return watch(descriptor, poller);
    }

    private boolean ended(int descriptor, SocketPolls poller, boolean polled) {
        ExecutionContext context = contextHere();
        if (context != null) context.socket = -1;
        return unwatch(descriptor, poller, polled);
    }

    private @Nullable ExecutionContext contextHere() {
        CoroutineImpl<?> coroutine = scheduler.current;
        return coroutine == null ? null : coroutine.context;
    }

    /** A number that nobody else on this loop has. */
    private long waiterHere() {
        CoroutineImpl<?> coroutine = scheduler.current;
        return coroutine == null ? -Thread.currentThread().threadId() : coroutine.id();
    }

    private boolean watch(int descriptor, SocketPolls poller) {
        if (unavailable || isLeftToJdk()) return false;
        DescriptorWaits waits = waits(poller.isForReading());
        if (waits == null || !waits.add(descriptor, poller, waiterHere())) return false;
        arrivals++;
        arriving = Thread.currentThread();
        PinnedWaits.noticed();
        return true;
    }

    private boolean isLeftToJdk() {
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
            waits = new DescriptorWaits(scheduler, read);
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

    /** The thread that ran last has left the loop. In the loop's frame. */
    void left() {
        arriving = null;
    }

    /**
     * Wakes a thread that has been about to leave since the last look: the loop may be under it. Another thread.
     *
     * @return false if nothing has happened since then
     */
    boolean lookForPinned() {
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

    /** Whether a poll may bring what makes it needless to {@link #confirm}. True at most once until there is another wait. */
    boolean isPollWorthwhile() {
        return reads != null && reads.isPollWorthwhile();
    }

    /**
     * To be called before each poll: sees to it that no wait is lost. In the loop's frame.
     *
     * @param all whether the loop may sleep now
     * @return true if somebody has been woken by this, and the loop must not sleep
     */
    boolean confirm(boolean all) {
        boolean woken = reads != null && reads.confirm(all);
        if (writes != null) woken |= writes.confirm(all);
        return woken;
    }

    /** How many descriptors the loop polls; for tests. */
    int waiting() {
        return (reads == null ? 0 : reads.count()) + (writes == null ? 0 : writes.count());
    }

    /** For tests, in a race. */
    int rescues() {
        return rescues;
    }

    /** The run has ended: whoever still waits is woken and tries again, and the JDK's pollers watch it. In the loop's frame. */
    void stop() {
        unavailable = true;
        if (reads != null) reads.close();
        if (writes != null) writes.close();
        reads = writes = null;
    }
}
