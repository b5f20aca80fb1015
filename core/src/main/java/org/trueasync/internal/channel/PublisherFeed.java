package org.trueasync.internal.channel;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.trueasync.CloseReason;
import org.trueasync.internal.kernel.Loop;

/**
 * Feeds a channel from a publisher. It requests items when at least half of the channel's capacity is neither filled
 * nor requested already, and as many as there is room for. Signals come from any thread and are posted to the loop, in
 * their order; the publisher's own code is called in coroutines. While a coroutine waits to receive, the publisher
 * counts as an active source of events.
 */
public final class PublisherFeed<T> implements Flow.Subscriber<T>, WaitObserver {
    private final ChannelCore channel;
    private final Loop loop;
    private final int batch;
    /** Written on the loop; read in any thread after the end of the run. */
    private volatile Flow.@Nullable Subscription subscription;

    private long outstanding;
    private boolean ended;
    /**
     * The registered action for the end of the run. At that time no coroutine is left to close the channel, and the
     * publisher may have threads that wait for us.
     */
    private @Nullable Object atEnd;

    private PublisherFeed(ChannelCore channel) {
        this.channel = channel;
        this.loop = channel.loop;
        this.batch = Math.max(1, channel.capacity() / 2);
    }

    /**
     * See {@link org.trueasync.Channel#from}.
     *
     * @param loop the runtime's loop
     * @param source the publisher
     * @param capacity >= 1
     */
    public static ChannelCore subscribe(Loop loop, Flow.Publisher<?> source, int capacity) {
        if (capacity < 1)
            throw new IllegalArgumentException("capacity of a channel for a publisher must be >= 1, got " + capacity
                    + "; it is what is asked for at once");
        ChannelCore channel = ChannelCore.owned(loop, capacity);
        var feed = new PublisherFeed<Object>(channel);
        channel.observe(feed);
        feed.atEnd = loop.atEnd(feed::runEnds);
        source.subscribe(feed);
        return channel;
    }

    // ---- signals, from any thread

    @Override
    public void onSubscribe(Flow.Subscription offered) {
        Objects.requireNonNull(offered, "subscription");
        loop.bring(() -> subscribed(offered), offered::cancel);
    }

    @Override
    public void onNext(T item) {
        Objects.requireNonNull(item, "item");
        loop.bring(() -> arrived(item), this::runHasEnded);
    }

    @Override
    public void onError(Throwable error) {
        Objects.requireNonNull(error, "error");
        loop.bring(() -> finished(CloseReason.NO_PRODUCERS, error));
    }

    @Override
    public void onComplete() {
        loop.bring(() -> finished(CloseReason.EXPLICIT, null));
    }

    private void runHasEnded() {
        Flow.Subscription open = subscription;
        if (open != null) open.cancel();
    }

    // ---- on the loop

    private void subscribed(Flow.Subscription offered) {
        if (ended || subscription != null) {
            loop.continueWith(offered::cancel);
            return;
        }
        subscription = offered;
        request();
    }

    private void arrived(T item) {
        if (ended) return;
        if (outstanding == 0) {
            channel.close(
                    CloseReason.NO_PRODUCERS,
                    new IllegalStateException("the publisher has published more than it was asked for"));
            return;
        }
        outstanding--;
        channel.put(item);
    }

    private void finished(CloseReason reason, @Nullable Throwable error) {
        ends();
        channel.close(reason, error);
    }

    private void ends() {
        ended = true;
        if (atEnd != null) loop.notAtEnd(atEnd);
        atEnd = null;
    }

    /** Ends the feed when the run ends. Called in a coroutine. */
    private void runEnds() {
        Flow.Subscription open = ended ? null : subscription;
        finished(CloseReason.SCOPE_DISPOSED, null);
        if (open != null) open.cancel();
    }

    private void request() {
        Flow.Subscription open = subscription;
        if (open == null || ended) return;
        long room = channel.capacity() - channel.size() - outstanding;
        if (room < batch) return;
        outstanding += room;
        loop.continueWith(() -> open.request(room));
    }

    // ---- the channel

    @Override
    public void waitBegins(boolean senders) {
        if (!senders) loop.activeEvents().increment();
    }

    @Override
    public void waitEnds(boolean senders) {
        if (!senders) loop.activeEvents().decrement();
    }

    @Override
    public void progress() {
        request();
    }

    @Override
    public void closed() {
        Flow.Subscription open = subscription;
        if (!ended && open != null) loop.continueWith(open::cancel);
        ends();
    }
}
