package org.trueasync.internal.channel;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.future.FutureCore;

/**
 * The future of a receive. It keeps its place in the channel's queue while its handle is reachable or somebody waits
 * for it.
 */
final class ReceivingFuture extends FutureCore<Object> {
    private final ChannelCore channel;
    private final Place place;

    private ReceivingFuture(ChannelCore channel) {
        super(channel.loop);
        this.channel = channel;
        this.place = new Place(channel, this);
    }

    /** Returns a future that is pending until it gets a value or the channel closes. */
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
    public void isReachableAgain() {
        place.holds(this);
        place.isReachableAgain();
    }

    @Override
    public String info() {
        return super.info() + ", receives from " + channel.info();
    }

    private static final class Place extends ChannelWaiter {
        private WeakReference<ReceivingFuture> future;

        /** The future, held strongly while somebody waits: a JDK future that follows from it does not hold it. */
        private @Nullable ReceivingFuture awaited;

        Place(ChannelCore channel, ReceivingFuture future) {
            super(channel, channel.receivers, false);
            this.future = new WeakReference<>(future);
        }

        void holds(ReceivingFuture self) {
            if (!future.refersTo(self)) future = new WeakReference<>(self);
        }

        @Override
        boolean isAbandoned() {
            return awaited == null && future.get() == null;
        }

        @Override
        void served() {
            ReceivingFuture receiver = future.get();
            if (receiver == null) {
                channel.leave(this); // collected since firstReceiver() checked it
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
