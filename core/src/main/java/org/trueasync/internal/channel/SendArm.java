package org.trueasync.internal.channel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineImpl;

final class SendArm extends Arm {
    private final ChannelCore channel;
    private final @Nullable Object value;
    private final Selection.Action action;
    private @Nullable ChannelWaiter waiter;
    private boolean closed;

    SendArm(ChannelCore channel, @Nullable Object value, Selection.Action action) {
        this.channel = channel;
        this.value = value;
        this.action = action;
    }

    @Override
    boolean isAtChannel() {
        return true;
    }

    @Override
    boolean takesEffect() {
        channel.loop.requireLoopThread("Select.select");
        closed = channel.isClosed();
        if (closed) return true;
        if (!channel.canPut()) return false;
        channel.put(value);
        return true;
    }

    @Override
    void subscribe(CoroutineImpl<?> self) {
        waiter = channel.newSender(value);
        self.resumeWhen(waiter, this);
    }

    @Override
    boolean isChosen(CoroutineImpl<?> self, @Nullable Throwable thrown) {
        ChannelWaiter waited = waiter;
        if (waited == null) return false;
        waiter = null;
        boolean chosen;
        if (thrown != null) {
            chosen = channel.isSent(self, waited, thrown);
        } else {
            closed = waited.isRefused();
            chosen = closed || waited.isServed();
        }
        channel.recycle(waited);
        return chosen;
    }

    @Override
    @Nullable
    Object runAction() throws Throwable {
        if (closed) throw channel.closed();
        return action.apply(null);
    }
}
