package org.trueasync.internal.channel;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.future.FutureCore;

/** A receive that nobody need wait for. It has its place in the queue while somebody can still see its outcome. */
final class ReceivingFuture extends FutureCore<Object> {
    private final ChannelCore channel;
    private final Place place;

    private ReceivingFuture(ChannelCore channel) {
        super(channel.loop);
        this.channel = channel;
        this.place = new Place(channel, this);
    }

    /** A future that is pending until a value comes, or the channel closes. */
    static ReceivingFuture waitingAt(ChannelCore channel) {
        var future = new ReceivingFuture(channel);
        future.place.arm();
        return future;
    }

    @Override
    protected void cancelled(AsyncCancellation reason) {
        place.end();
    }

    @Override
    protected void arm() {
        super.arm();
        place.awaited = this;
    }

    @Override
    protected void disarm() {
        super.disarm();
        place.awaited = null;
    }

    @Override
    public String info() {
        return super.info() + ", receives from " + channel.info();
    }

    private static final class Place extends ChannelWaiter {
        private final WeakReference<ReceivingFuture> future;

        /** Held while somebody waits: a future of the JDK's that follows from it does not hold it. */
        private @Nullable ReceivingFuture awaited;

        Place(ChannelCore channel, ReceivingFuture future) {
            super(channel, channel.receivers, false);
            this.future = new WeakReference<>(future);
        }

        @Override
        boolean isAbandoned() {
            return awaited == null && future.get() == null;
        }

        @Override
        void served() {
            ReceivingFuture receiver = future.get();
            if (receiver == null) {
                channel.leave(this); // lost since the queue was looked at
                return;
            }
            Object received = channel.take(this);
            value = null;
            receiver.tryComplete(received);
        }

        @Override
        void refused(@Nullable Throwable error) {
            ReceivingFuture receiver = future.get();
            if (receiver != null) receiver.tryFail(channel.closed());
        }
    }
}
