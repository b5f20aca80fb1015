package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.kernel.CoroutineImpl;

/**
 * One operation that waits at a channel. The channel reuses it for later waits. Being served means:
 *
 * <pre>
 *  receiver  PROMISED   the value is in this waiter; no other coroutine can take it
 *  sender    ADMITTED   the value is in the buffer
 *  sender    TAKEN      a receiver has the value
 * </pre>
 *
 * The rest is done by the coroutine itself, in its own turn: see {@link ChannelCore}.
 */
class ChannelWaiter extends Waiter implements HeldByWakers {
    /** The place of a value that a receiver took directly from the sender: less than any place in the buffer. */
    static final long TAKEN = -1;

    final ChannelCore channel;
    final boolean sends;

    @Nullable
    Object value;
    /**
     * For a served sender: the value's place in the buffer, or {@link #TAKEN}. For a receiver: the number of the
     * channel's promise.
     */
    long order;

    ChannelWaiter(ChannelCore channel, WaitQueue<ChannelWaiter> queue, boolean sends) {
        super(queue);
        this.channel = channel;
        this.sends = sends;
    }

    @Override
    public final void isReachableAgain() {
        channel.renewEntry();
    }

    // Overridden here so that arm and disarm are bound to this class: neither call is virtual in a wait at a channel.

    @Override
    public final void begin(CoroutineImpl<?> direct) {
        super.begin(direct);
    }

    @Override
    public final void end() {
        super.end();
    }

    @Override
    protected final void arm() {
        super.arm();
        channel.joined(this);
    }

    @Override
    protected final void disarm() {
        super.disarm();
    }

    @Override
    protected final void left() {
        channel.left(this);
    }

    @Override
    public final void serve() {
        leave(SERVED);
        channel.left(this);
        served();
    }

    @Override
    public final void refuse(@Nullable Throwable error) {
        leave(REFUSED);
        channel.left(this);
        refused(error);
    }

    /** Wakes the coroutine, which the channel has served. */
    void served() {
        wake(null);
    }

    /** Wakes the coroutine with the error, as the channel was closed. */
    void refused(@Nullable Throwable error) {
        wake(error);
    }

    /** True if the waiter must not be served any more, because nothing could take the value. */
    boolean isAbandoned() {
        return false;
    }

    @Override
    protected final void clear() {
        super.clear();
        value = null;
    }

    @Override
    public String info() {
        return (sends ? "send to " : "receive from ") + channel.info();
    }
}
