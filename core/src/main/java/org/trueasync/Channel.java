package org.trueasync;

import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.channel.ChannelCore;
import org.trueasync.internal.channel.ChannelPublisher;
import org.trueasync.internal.channel.PublisherFeed;
import org.trueasync.internal.channel.ReceivingIterator;
import org.trueasync.internal.channel.Timeouts;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.time.TimeLimits;

/**
 * Hands values from coroutine to coroutine, first in, first out; who waits is served in the order of arrival.
 *
 * <p>Without a capacity the two sides meet: a send lasts until a receiver has the value. With one, that many values may be sent ahead.
 *
 * <p>What a waiting coroutine was woken for is reserved: between its wake and its turn nobody else can take the value, or the slot. If it leaves
 * instead (cancelled, given up), the reservation goes to the one that waits longest. A {@code send} that throws has not sent; one that returns has, and
 * its value is not lost, whatever happens to the channel or to a receiver.
 *
 * <p>After {@link #close} what is in the channel can still be received. A channel belongs to the scope in which it was created: when that is cancelled
 * or disposed of, the channel closes.
 *
 * <p>Loop thread only, except {@code builder}, {@code capacity}, {@code isClosed}, {@code isEmpty}, {@code isFull}, {@code publisher} and {@code size};
 * {@link #publisher} has its own rules.
 *
 * @param <T> type of the values; null is a legal value
 */
public final class Channel<T> implements Awaitable, Iterable<T>, AutoCloseable {
    private final ChannelCore core;

    /**
     * A channel without a buffer: each value goes from hand to hand.
     *
     * @throws AsyncException if there is no runtime here
     */
    public Channel() {
        this(0);
    }

    /**
     * A channel for that many values sent ahead.
     *
     * @param capacity >= 0; 0 for none
     * @throws IllegalArgumentException if the capacity is negative
     * @throws AsyncException if there is no runtime here
     */
    public Channel(int capacity) {
        this(ChannelCore.owned(Runtimes.here("new Channel"), capacity));
    }

    /**
     * A channel without a buffer, with a name that {@code toString}, dumps and reports show.
     *
     * @param name what can't be printed is shown as {@code ?}, and what is beyond 100 characters is cut; a blank one is none
     * @throws AsyncException if there is no runtime here
     */
    public Channel(String name) {
        this(name, 0);
    }

    /**
     * A channel for that many values sent ahead, with a name that {@code toString}, dumps and reports show.
     *
     * @param name what can't be printed is shown as {@code ?}, and what is beyond 100 characters is cut; a blank one is none
     * @param capacity >= 0; 0 for none
     * @throws IllegalArgumentException if the capacity is negative
     * @throws AsyncException if there is no runtime here
     */
    public Channel(String name, int capacity) {
        this(capacity);
        core.setName(name);
    }

    private Channel(ChannelCore core) {
        this.core = core;
    }

    ChannelCore core() {
        return core;
    }

    /** A channel with more than a capacity to say about it. */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    // ---- sending

    /**
     * Sends a value. Waits while the channel is full; without a capacity, until a receiver has the value, unless one waits already.
     *
     * @param value the value, may be null
     * @throws ChannelException if the channel is closed, or is while this waits; the value has then not been sent
     * @throws AsyncCancellation if the coroutine was cancelled while it waited; the value has then not been sent
     */
    public void send(T value) {
        core.send(value, null);
    }

    /**
     * As {@link #send(Object)}, given up when a token fires.
     *
     * @param value the value, may be null
     * @param cancellation the token
     * @throws OperationCanceledException if the token fired first; the value has then not been sent
     */
    public void send(T value, Completable<?> cancellation) {
        core.send(value, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Sends a value if that needs no waiting. Without a capacity one value may so be left in the channel for the next receiver.
     *
     * @param value the value, may be null
     * @return false if the channel is closed or full, or if its only free slots are promised to senders who wait
     */
    public boolean trySend(T value) {
        return core.trySend(value);
    }

    // ---- receiving

    /**
     * Takes the oldest value; waits while there is none.
     *
     * @return the value, may be null
     * @throws ChannelException if the channel is closed and empty, or gets so while this waits
     * @throws AsyncCancellation if the coroutine was cancelled while it waited; no value is lost
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null; T says whether it may
    public T receive() {
        return (T) core.receive(null);
    }

    /**
     * As {@link #receive()}, given up when a token fires.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token fired first; no value is lost
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public T receive(Completable<?> cancellation) {
        return (T) core.receive(Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #receive()}, given up after a time.
     *
     * @param limit >= 0; with zero this does not wait: it takes a value that {@link #tryReceive} would take, or gives up at once
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}; no value is lost
     * @throws IllegalArgumentException if the limit is negative
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public T receive(Duration limit) {
        Timeout token = Limits.token(limit, "Channel.receive");
        return (T) (token.isCompleted() ? core.receiveNow(token) : core.receive(token));
    }

    /**
     * Takes the oldest value if that needs no waiting.
     *
     * @return nothing if there is no value now, or if all are promised to receivers who wait; also if the channel is closed and empty
     */
    @SuppressWarnings("unchecked") // as above
    public Received<T> tryReceive() {
        return (Received<T>) core.tryReceive();
    }

    /**
     * Takes the oldest value, later if there is none now. It has its place among those who wait; cancelling the future gives that up, and so does
     * dropping it, as soon as the garbage collector notices.
     *
     * @return a future of the value; it fails with {@link ChannelException} if the channel is closed and empty, or gets so
     */
    @SuppressWarnings("unchecked")
    public Future<T> receiveAsync() {
        return new Future<>((FutureCore<T>) core.receiveAsync());
    }

    /**
     * Receives until the channel is closed and empty. Several iterators share the values: each goes to one of them. {@code hasNext} waits.
     *
     * @return an iterator that ends after an explicit close; closed for another reason, it throws {@link ChannelException}
     */
    @Override
    public Iterator<T> iterator() {
        return new ReceivingIterator<>(core);
    }

    /** The values as a sequential stream, by {@link #iterator}: what takes from it waits. For the coroutines of this runtime only. */
    public Stream<T> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED), false);
    }

    // ---- reactive streams

    /**
     * Publishes what it receives from this channel. Each subscriber has a coroutine of the main scope that receives as many values as have been asked
     * for; several subscribers share the values. An explicit close completes the subscriber, any other is its error, and so is a null. The
     * subscriber is called in its coroutine and may wait. Nobody need ask for the end: it is signalled as soon as the channel is closed and empty. A
     * request for nothing, or less, is the subscriber's error at once. One that asks for no more of what there is keeps the run alive until it cancels.
     *
     * <p>Any thread may subscribe, request and cancel.
     */
    public Flow.Publisher<T> publisher() {
        return new ChannelPublisher<>(core);
    }

    /**
     * A channel that a publisher feeds. At most as many items as the channel has room for are asked for at a time. Its end closes the channel
     * explicitly, its error does so with {@link CloseReason#NO_PRODUCERS} and the error as the cause. Closing the channel cancels the subscription, and so does
     * the end of the run.
     *
     * <p>Its signals may come from any thread.
     *
     * @param source what feeds it
     * @param capacity >= 1
     * @throws IllegalArgumentException if the capacity is less
     * @throws AsyncException if there is no runtime here
     */
    public static <T> Channel<T> from(Flow.Publisher<? extends T> source, int capacity) {
        Objects.requireNonNull(source, "source");
        return new Channel<>(PublisherFeed.subscribe(Runtimes.here("Channel.from"), source, capacity));
    }

    // ---- the end

    /**
     * Nothing can be sent any more. What is here can still be received; senders that wait get {@link ChannelException}, and so do receivers for whom
     * there is nothing. Again does nothing.
     */
    @Override
    public void close() {
        core.close();
    }

    /** True once it is closed, for whatever reason. There may be values left. */
    public boolean isClosed() {
        return core.isClosed();
    }

    // ---- about it

    /** How many values can be sent ahead; never changes. */
    public int capacity() {
        return core.capacity();
    }

    /**
     * How many values it holds: those promised to receivers who have been woken and have not run yet are included, and may be more than the capacity; so
     * are those of senders who have been woken. Without a capacity also the value of the first sender that waits. It does not say whether a send or
     * a receive would wait.
     */
    public int size() {
        return core.size();
    }

    /** True if {@link #size} is 0. */
    public boolean isEmpty() {
        return core.size() == 0;
    }

    /** True if {@link #size} has reached the capacity, or 1 without one. */
    public boolean isFull() {
        return core.isFull();
    }

    @Override
    public String toString() {
        return core.info();
    }

    /**
     * Settings of a channel. Belongs to whoever made it.
     *
     * @param <T> type of the values
     */
    public static final class Builder<T> {
        private int capacity;
        private @Nullable String name;
        private Duration noProducer = Duration.ZERO;
        private Duration noConsumer = Duration.ZERO;
        private boolean hard;

        private Builder() {}

        /**
         * What {@code toString}, dumps and reports call it.
         *
         * @param name what can't be printed is shown as {@code ?}, and what is beyond 100 characters is cut; a blank one is none
         */
        public Builder<T> name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * How many values can be sent ahead.
         *
         * @param capacity >= 0; 0, the default, hands each value over directly
         */
        public Builder<T> capacity(int capacity) {
            this.capacity = capacity;
            return this;
        }

        /**
         * Closes the channel with {@link CloseReason#NO_PRODUCERS} when receivers have waited that long with nothing sent.
         *
         * @param limit >= 0, counted from the last progress; zero, the default, for no limit
         */
        public Builder<T> noProducerTimeout(Duration limit) {
            noProducer = TimeLimits.notNegative(limit, "noProducerTimeout");
            return this;
        }

        /**
         * Closes the channel with {@link CloseReason#NO_CONSUMERS} when senders have waited that long with nothing received.
         *
         * @param limit >= 0, counted from the last progress; zero, the default, for no limit
         */
        public Builder<T> noConsumerTimeout(Duration limit) {
            noConsumer = TimeLimits.notNegative(limit, "noConsumerTimeout");
            return this;
        }

        /**
         * Whether the limits are always waited for in full. The default is soft limits: they keep no run alive, and as soon as nothing else in the
         * runtime can make progress the channel closes with {@link CloseReason#DEADLOCK}, without the rest of the limit and without a
         * {@link DeadlockError}.
         *
         * @param hard true to wait
         */
        public Builder<T> hardTimeouts(boolean hard) {
            this.hard = hard;
            return this;
        }

        /**
         * Makes the channel.
         *
         * @throws IllegalArgumentException if the capacity is negative
         * @throws AsyncException if there is no runtime here
         */
        public Channel<T> build() {
            var core = ChannelCore.owned(Runtimes.here("Channel.builder"), capacity);
            if (name != null) core.setName(name);
            if (!noProducer.isZero() || !noConsumer.isZero()) Timeouts.watch(core, noProducer, noConsumer, hard);
            return new Channel<>(core);
        }
    }
}
