package org.trueasync.internal.channel;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.trueasync.AsyncException;

/**
 * Publishes what it receives from a channel. Each value goes to one subscriber, which gets no more values than it has
 * requested. Any thread may subscribe.
 */
public final class ChannelPublisher<T> implements Flow.Publisher<T> {
    private final ChannelCore channel;

    /**
     * Creates a publisher of a channel's values.
     *
     * @param channel the source of the values
     */
    public ChannelPublisher(ChannelCore channel) {
        this.channel = channel;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        channel.loop.bring(() -> new Pump<T>(channel, subscriber).begin(), () -> refuse(subscriber));
    }

    private static void refuse(Flow.Subscriber<?> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        });
        subscriber.onError(new AsyncException("the runtime of the channel has ended"));
    }
}
