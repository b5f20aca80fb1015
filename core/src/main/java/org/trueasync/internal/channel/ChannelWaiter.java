package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.await.Waiter;
import org.trueasync.internal.kernel.CoroutineImpl;

/**
 * One operation that waits at a channel. The channel uses it again for the next wait. Being served means:
 *
 * <pre>
 *  receiver  PROMISED   the value is here and nobody else's
 *  sender    ADMITTED   the value is in the buffer
 *  sender    TAKEN      a receiver has the value
 * </pre>
 *
 * From there only the coroutine itself goes on, in its own turn: see {@link ChannelCore}.
 */
class ChannelWaiter extends Waiter {
    /** The place of a value that never was in the buffer: before everything that is. */
    static final long TAKEN = -1;

    final ChannelCore channel;
    final boolean sends;

    @Nullable
    Object value;
    /** Sender that is served: where in the buffer the value is, or {@link #TAKEN}. Receiver: which promise of the channel it is. */
    long order;

    ChannelWaiter(ChannelCore channel, WaitQueue<ChannelWaiter> queue, boolean sends) {
        super(queue);
        this.channel = channel;
        this.sends = sends;
    }

    // Here again so that arm and disarm are bound to this class: neither call is virtual in a wait at a channel.

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

    /** The channel has done its part: the coroutine goes on. */
    void served() {
        wake(null);
    }

    /** The channel was closed. */
    void refused(@Nullable Throwable error) {
        wake(error);
    }

    /** True if nobody can take what it would be given. */
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
