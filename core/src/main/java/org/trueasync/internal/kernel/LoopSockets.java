package org.trueasync.internal.kernel;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.PollException;
import org.trueasync.internal.jdk.Epoll;
import org.trueasync.internal.jdk.SocketPolls;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SystemError;

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
    private @Nullable Side reads;
    private @Nullable Side writes;

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

    private boolean watch(int descriptor, SocketPolls poller) {
        if (unavailable || isLeftToJdk()) return false;
        Side side = side(poller.isForReading());
        if (side == null || !side.add(descriptor, poller)) return false;
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
        Side side = poller.isForReading() ? reads : writes;
        return side != null && side.remove(descriptor, polled);
    }

    private @Nullable Side side(boolean read) {
        Side side = read ? reads : writes;
        if (side != null) return side;
        try {
            side = new Side(scheduler, read);
        } catch (LinkageError e) {
            unavailable = true;
            return null;
        } catch (IOException | PollException e) {
            return null; // no descriptor left; there may be one next time
        }
        if (read) reads = side;
        else writes = side;
        return side;
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

    /** One direction. */
    private static final class Side implements PollHandle.Listener, IntConsumer {
        private final Epoll epoll;
        private final PollHandle handle;

        /** Who is to be told, by descriptor. */
        private @Nullable SocketPolls[] waiting = new SocketPolls[64];

        Side(Scheduler scheduler, boolean read) throws IOException {
            epoll = new Epoll(read);
            PollHandle made = null;
            try {
                epoll.poll(this); // linked by this: the loop's frame may not
                made = scheduler.reactor.poll(epoll.descriptor(), this);
                made.watch(PollHandle.READABLE);
            } catch (Throwable e) {
                if (made != null) made.close();
                epoll.close();
                throw e;
            }
            handle = made;
        }

        boolean add(int descriptor, SocketPolls poller) {
            if (descriptor >= waiting.length)
                waiting = Arrays.copyOf(waiting, Math.max(descriptor + 1, waiting.length * 2));
            if (!epoll.add(descriptor)) return false;
            waiting[descriptor] = poller;
            return true;
        }

        boolean remove(int descriptor, boolean polled) {
            if (descriptor >= waiting.length || waiting[descriptor] == null) return false;
            waiting[descriptor] = null;
            if (!polled) epoll.remove(descriptor);
            return true;
        }

        int count() {
            int count = 0;
            for (SocketPolls poller : waiting) if (poller != null) count++;
            return count;
        }

        @Override
        public void onReady(int ready) {
            epoll.poll(this);
        }

        /** A descriptor is ready. It stays marked until its thread has gone on. */
        @Override
        public void accept(int descriptor) {
            SocketPolls poller = waiting[descriptor];
            if (poller != null) poller.wake(descriptor);
        }

        @Override
        public void onError(SystemError error) {
            wakeAll();
        }

        private void wakeAll() {
            for (int i = 0; i < waiting.length; i++) accept(i);
        }

        void close() {
            handle.close();
            wakeAll();
            epoll.close();
        }
    }
}
