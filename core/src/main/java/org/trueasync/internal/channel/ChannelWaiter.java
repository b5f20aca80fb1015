package org.trueasync.internal.channel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.ChannelException;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Wait;
import org.trueasync.spi.Event;

/**
 * One operation that waits at a channel, and its place in the line: an event, for waits that have others beside it, or what a coroutine waits for directly.
 * The channel uses it again for the next wait.
 *
 * <pre>
 *  IDLE    -> WAITING   the coroutine suspends: it joins the line
 *  WAITING -> PROMISED  receiver: the value is here and nobody else's; its coroutine is queued
 *  WAITING -> ADMITTED  sender: the value is in the buffer; its coroutine is queued
 *  WAITING -> TAKEN     sender: a receiver has the value; its coroutine is queued
 *  WAITING -> REFUSED   the channel was closed; its coroutine is queued with the error
 *  WAITING -> IDLE      its coroutine was woken otherwise: it has left the line
 * </pre>
 *
 * From PROMISED, ADMITTED and TAKEN only the coroutine itself goes on, in its own turn: see {@link ChannelCore}.
 */
class ChannelWaiter extends Event implements Wait {
    static final byte IDLE = 0;
    static final byte WAITING = 1;
    static final byte PROMISED = 2;
    static final byte ADMITTED = 3;
    static final byte TAKEN = 4;
    static final byte REFUSED = 5;

    final ChannelCore channel;
    boolean sends;
    byte state;

    @Nullable
    Object value;
    /** Sender: where in the buffer the value is. Receiver: which promise of the channel it is. */
    long order;

    @Nullable
    ChannelWaiter previous;

    @Nullable
    ChannelWaiter next;

    /** Who waits directly. */
    private @Nullable CoroutineImpl<?> coroutine;

    ChannelWaiter(ChannelCore channel) {
        this.channel = channel;
    }

    /** Suspends the running coroutine until this is served, or refused, which it throws. */
    final void await(CoroutineImpl<?> self) {
        self.suspend(this);
    }

    @Override
    public final void begin(CoroutineImpl<?> direct) {
        coroutine = direct;
        arm();
    }

    @Override
    public final void describe(List<String> lines) {
        lines.add(info());
    }

    @Override
    public final void end() {
        if (state == WAITING) channel.leaves(this);
    }

    @Override
    protected final void arm() {
        channel.joins(this);
    }

    @Override
    protected final void disarm() {
        end();
    }

    /** The channel has done its part: the coroutine goes on. */
    void served() {
        if (coroutine != null) coroutine.wake(null);
        else notifyCallbacks(null, null);
    }

    /** The channel was closed. */
    void refused(ChannelException error) {
        if (coroutine != null) coroutine.wakeWithError(error);
        else notifyCallbacks(null, error);
    }

    /** True if nobody can take what it would be given. */
    boolean isAbandoned() {
        return false;
    }

    /** As new, for the next wait. */
    final void clear() {
        state = IDLE;
        value = null;
        coroutine = null;
    }

    @Override
    public String info() {
        return (sends ? "send to " : "receive from ") + channel.info();
    }
}
