package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;
import org.trueasync.ChannelException;
import org.trueasync.internal.kernel.CoroutineImpl;

final class ReceiveArm extends Arm {
    private final ChannelCore channel;
    private final Selection.Action action;
    private final Selection.@Nullable Action whenClosed;
    private @Nullable ChannelWaiter waiter;
    private @Nullable Object value;
    private boolean closed;

    ReceiveArm(ChannelCore channel, Selection.Action action, Selection.@Nullable Action whenClosed) {
        this.channel = channel;
        this.action = action;
        this.whenClosed = whenClosed;
    }

    @Override
    boolean isAtChannel() {
        return true;
    }

    @Override
    boolean takesEffect() {
        channel.loop.requireLoopThread("Select.select");
        closed = false;
        if (channel.hasValue()) value = channel.poll();
        else if (channel.isDrained()) closed = true;
        else return false;
        return true;
    }

    @Override
    void subscribe(CoroutineImpl<?> self) {
        waiter = channel.newReceiver();
        self.resumeWhen(waiter, this);
    }

    @Override
    boolean isChosen(CoroutineImpl<?> self, @Nullable Throwable thrown) {
        ChannelWaiter waited = waiter;
        if (waited == null) return false;
        waiter = null;
        boolean chosen = false;
        if (thrown != null) {
            channel.leave(waited);
        } else if (waited.isServed()) {
            value = channel.take(waited);
            chosen = true;
        } else if (waited.isRefused()) {
            closed = true;
            chosen = true;
        }
        channel.recycle(waited);
        return chosen;
    }

    @Override
    @Nullable
    Object runAction() throws Throwable {
        if (closed) {
            ChannelException error = channel.closed();
            if (whenClosed == null) throw error;
            return whenClosed.apply(error);
        }
        Object received = value;
        value = null;
        return action.apply(received);
    }
}
