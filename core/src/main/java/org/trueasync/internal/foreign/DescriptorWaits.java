package org.trueasync.internal.foreign;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.jdk.Epoll;
import org.trueasync.internal.jdk.SocketPolls;
import org.trueasync.internal.time.ReactorClock;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SystemError;

/**
 * The waits for descriptors to become readable, or writable. Loop thread.
 *
 * <p>A descriptor that is read from stays registered after its first wait, so that the waits that follow need no system
 * call. Its registration may be gone all the same: the JDK does not tell of closing, and the number may be another
 * socket's by now. So such a wait is <em>unconfirmed</em>. The loop confirms it, which is that system call, before it
 * sleeps, or when the wait has lasted for a while. On a busy loop most waits end before. Waits to write are rare, and
 * are registered each time.
 *
 * <p>Invariant: while the loop sleeps no wait is unconfirmed. A confirmed wait is registered, and what has happened
 * before is reported.
 */
final class DescriptorWaits implements PollHandle.Listener, IntConsumer {
    /** A wait that has lasted for this many nanoseconds is confirmed even if the loop does not sleep. */
    private static final long CONFIRM_AFTER_NANOS = 4_000_000;

    private static final int NONE = -1;

    // What is known of a descriptor's registration.
    private static final byte UNKNOWN = 0;
    private static final byte REGISTERED = 1;

    /** Was ready once more while nothing waited for it. */
    private static final byte UNCLAIMED = 2;

    private final ReactorClock clock;
    private final boolean read;
    private final Epoll epoll;
    private final PollHandle handle;

    // By descriptor.

    /** The pollers to be told. */
    private @Nullable SocketPolls[] waiting;

    private byte[] registration;

    /**
     * The number of the last waiter. A new waiter has mostly just opened the socket, so what is known of the descriptor
     * may be about an earlier socket.
     */
    private long[] owner;

    /**
     * The list of the unconfirmed, in the order in which they began; a descriptor that is not in it has itself as its
     * next one.
     */
    private int[] next;

    private int[] previous;

    /** When a descriptor came into the list: the time of the reactor's last turn, in nanoseconds of its clock. */
    private long[] since;

    private int first = NONE;
    private int last = NONE;
    private int unconfirmed;

    /** Whether the loop has polled for the unconfirmed waits that there are. */
    private boolean polledForThem;

    DescriptorWaits(Reactor reactor, ReactorClock clock, boolean read) throws IOException {
        this.clock = clock;
        this.read = read;
        waiting = new SocketPolls[0];
        registration = new byte[0];
        next = previous = new int[0];
        since = new long[0];
        owner = new long[0];
        grow(64);
        epoll = new Epoll(read);
        PollHandle made = null;
        try {
            // these calls link the methods, which the loop's frame may not do
            epoll.poll(this);
            epoll.confirm(NONE);
            made = reactor.poll(epoll.descriptor(), this);
            made.watch(PollHandle.READABLE);
        } catch (Throwable e) {
            if (made != null) made.close();
            epoll.close();
            throw e;
        }
        handle = made;
    }

    private void grow(int length) {
        int old = waiting.length;
        waiting = Arrays.copyOf(waiting, length);
        registration = Arrays.copyOf(registration, length);
        owner = Arrays.copyOf(owner, length);
        previous = Arrays.copyOf(previous, length);
        since = Arrays.copyOf(since, length);
        next = Arrays.copyOf(next, length);
        for (int i = old; i < length; i++) next[i] = i;
    }

    /**
     * Begins a wait.
     *
     * @param waiter a number that only this waiter has
     * @return false if the system refuses
     */
    boolean add(int descriptor, SocketPolls poller, long waiter) {
        if (descriptor >= waiting.length) grow(Math.max(descriptor + 1, waiting.length * 2));
        boolean isKnown = registration[descriptor] != UNKNOWN;
        boolean isTrusted = isKnown && owner[descriptor] == waiter;
        if (!isTrusted && !(isKnown ? epoll.confirm(descriptor) : epoll.add(descriptor))) return false;
        if (read) registration[descriptor] = REGISTERED;
        owner[descriptor] = waiter;
        waiting[descriptor] = poller;
        if (isTrusted) append(descriptor);
        return true;
    }

    /**
     * Ends a wait.
     *
     * @param polled true if the descriptor was ready; else its registration is removed, as it may not be waited for
     *     again
     * @return false if it is not watched
     */
    boolean remove(int descriptor, boolean polled) {
        if (descriptor >= waiting.length || waiting[descriptor] == null) return false;
        waiting[descriptor] = null;
        unlink(descriptor);
        if (!polled) forget(descriptor);
        return true;
    }

    private void forget(int descriptor) {
        registration[descriptor] = UNKNOWN;
        epoll.remove(descriptor);
    }

    private void append(int descriptor) {
        since[descriptor] = clock.lastTurn();
        previous[descriptor] = last;
        next[descriptor] = NONE;
        if (last == NONE) first = descriptor;
        else next[last] = descriptor;
        last = descriptor;
        unconfirmed++;
        polledForThem = false;
    }

    private boolean isUnconfirmed(int descriptor) {
        return next[descriptor] != descriptor;
    }

    private void unlink(int descriptor) {
        if (!isUnconfirmed(descriptor)) return;
        if (previous[descriptor] == NONE) first = next[descriptor];
        else next[previous[descriptor]] = next[descriptor];
        if (next[descriptor] == NONE) last = previous[descriptor];
        else previous[next[descriptor]] = previous[descriptor];
        next[descriptor] = descriptor;
        unconfirmed--;
    }

    /** See {@link LoopSockets#isPollWorthwhile}. To confirm a single wait costs no more than a poll. */
    boolean isPollWorthwhile() {
        if (unconfirmed < 2 || polledForThem) return false;
        polledForThem = true;
        return true;
    }

    /** See {@link LoopSockets#confirm}. */
    boolean confirm(boolean all) {
        boolean woken = false;
        // No more than there are now: a wait that can't be woken is added again.
        for (int remaining = unconfirmed;
                remaining > 0 && (all || clock.lastTurn() - since[first] > CONFIRM_AFTER_NANOS);
                remaining--) {
            int descriptor = first;
            unlink(descriptor);
            if (epoll.confirm(descriptor)) continue;
            // Closed, or refused: its thread tries again, and finds out.
            registration[descriptor] = UNKNOWN;
            wake(descriptor);
            woken = true;
        }
        return woken;
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

    /** Called when a descriptor has become ready. */
    @Override
    public void accept(int descriptor) {
        if (waiting[descriptor] != null) {
            unlink(descriptor);
            wake(descriptor);
        } else if (registration[descriptor] == UNCLAIMED) {
            // Its readers are no longer on this loop, which is not to be woken for them.
            forget(descriptor);
        } else if (registration[descriptor] == REGISTERED) {
            registration[descriptor] = UNCLAIMED;
        }
    }

    /**
     * Wakes the thread that waits for a descriptor. The descriptor counts as waited for until its thread has gone on.
     * Without memory for a wake-up the wait is unconfirmed once more, so its descriptor will be reported once more.
     */
    private void wake(int descriptor) {
        SocketPolls poller = waiting[descriptor];
        if (poller == null) return;
        try {
            FaultPoint.pass();
            poller.wake(descriptor);
        } catch (OutOfMemoryError e) {
            if (!isUnconfirmed(descriptor)) append(descriptor);
        }
    }

    @Override
    public void onError(SystemError error) {
        wakeAll();
    }

    private void wakeAll() {
        for (int i = 0; i < waiting.length; i++) wake(i);
    }

    void close() {
        handle.close();
        wakeAll();
        epoll.close();
    }
}
