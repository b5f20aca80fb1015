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
import org.trueasync.internal.channel.ChannelTimeouts;
import org.trueasync.internal.channel.PublisherFeed;
import org.trueasync.internal.channel.ReceivingIterator;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.sync.Limits;
import org.trueasync.internal.time.TimeLimits;

/**
 * A queue of values between coroutines, first in, first out; waiters are served in the order of arrival.
 *
 * <p>With capacity 0 sender and receiver meet: a send lasts until a receiver has the value. With a greater capacity,
 * that many values may be sent ahead.
 *
 * <p>The value or slot for which a waiting coroutine was woken is reserved: no other coroutine can take it before that
 * coroutine runs. If it leaves instead (cancelled, or by a token), the reservation goes to the coroutine that waits
 * longest, if there is one. A {@code send} that throws has not sent. One that returns has sent, and the value is not
 * lost, whatever happens to the channel or to a receiver.
 *
 * <p>After {@link #close} the values in the channel can still be received. A channel belongs to the scope in which it
 * was created: when that scope is cancelled or disposed of, the channel closes.
 *
 * <p>Loop thread only, except {@code builder}, {@code capacity}, {@code isClosed}, {@code isEmpty}, {@code isFull},
 * {@code publisher} and {@code size}; {@link #publisher} has its own rules.
 *
 * @param <T> type of the values; null is a legal value
 */
public final class Channel<T> implements Awaitable, Iterable<T>, AutoCloseable {
    private final ChannelCore core;

    /**
     * Creates a channel without a buffer: each value goes from a sender directly to a receiver.
     *
     * @throws AsyncException if there is no runtime here
     */
    public Channel() {
        this(0);
    }

    /**
     * Creates a channel with a buffer for that many values sent ahead.
     *
     * @param capacity >= 0; 0 for none
     * @throws IllegalArgumentException if the capacity is negative
     * @throws AsyncException if there is no runtime here
     */
    public Channel(int capacity) {
        this(ChannelCore.owned(Runtimes.here("new Channel"), capacity));
    }

    /**
     * Creates a channel without a buffer, with a name that {@code toString}, dumps and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @throws AsyncException if there is no runtime here
     */
    public Channel(String name) {
        this(name, 0);
    }

    /**
     * Creates a channel with a buffer for that many values sent ahead, with a name that {@code toString}, dumps and
     * reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
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

    /** Returns a builder of a channel, for more settings than the capacity. */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    // ---- sending

    /**
     * Sends a value. Waits while the channel is full; with capacity 0, until a receiver takes the value, unless one
     * waits already.
     *
     * @param value the value, may be null
     * @throws ChannelException if the channel is closed before the call or while it waits; the value has then not been
     *     sent
     * @throws AsyncCancellation if the coroutine was cancelled; the value has then not been sent
     */
    public void send(T value) {
        core.send(value, null);
    }

    /**
     * As {@link #send(Object)}; gives up when the token ends.
     *
     * @param value the value, may be null
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; the value has then not
     *     been sent
     */
    public void send(T value, Completable<?> cancellation) {
        core.send(value, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Sends a value if that needs no waiting. With capacity 0 it can leave one value in the channel for the next
     * receiver.
     *
     * @param value the value, may be null
     * @return false if the channel is closed, or if it is full and no receiver waits
     */
    public boolean trySend(T value) {
        return core.trySend(value);
    }

    // ---- receiving

    /**
     * Takes the oldest value. Waits while there is none.
     *
     * @return the value, may be null
     * @throws ChannelException if the channel is closed and empty, or becomes so while this waits
     * @throws AsyncCancellation if the coroutine was cancelled; no value is lost
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null; T says whether it may
    public T receive() {
        return (T) core.receive(null);
    }

    /**
     * As {@link #receive()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; no value is lost
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public T receive(Completable<?> cancellation) {
        return (T) core.receive(Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * As {@link #receive()}; gives up after a time.
     *
     * @param limit >= 0; with zero this does not wait: it takes a value that {@link #tryReceive} would take, or gives
     *     up at once
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}; no value
     *     is lost
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
     * @return the value; or {@link Received#nothing()} if there is none now, if all are reserved for receivers that
     *     were woken, or if the channel is closed and empty
     */
    @SuppressWarnings("unchecked") // as above
    public Received<T> tryReceive() {
        return (Received<T>) core.tryReceive();
    }

    /**
     * Takes the oldest value, later if there is none now. Until then the future has a place in the queue of receivers.
     * It loses the place when it is cancelled, or when the garbage collector finds it unreachable.
     *
     * @return a future of the value; it fails with {@link ChannelException} if the channel is closed and empty, or
     *     becomes so
     */
    @SuppressWarnings("unchecked")
    public Future<T> receiveAsync() {
        return new Future<>((FutureCore<T>) core.receiveAsync());
    }

    /**
     * Returns an iterator that receives until the channel is closed and empty. Several iterators share the values: each
     * value goes to one of them. {@code hasNext} waits, and takes the value that {@code next} returns.
     *
     * @return an iterator that ends after an explicit close; if the channel was closed for another reason, it throws
     *     {@link ChannelException}
     */
    @Override
    public Iterator<T> iterator() {
        return new ReceivingIterator<>(core);
    }

    /**
     * Returns the values as a sequential stream, by {@link #iterator}: its terminal operation waits. For the coroutines
     * of this runtime only.
     */
    public Stream<T> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED), false);
    }

    // ---- reactive streams

    /**
     * Returns a publisher of the values of this channel. Each subscriber has a coroutine of the main scope that
     * receives as many values as were requested; several subscribers share the values. An explicit close completes the
     * subscriber; any other close, and a null value, is signalled as its error. The subscriber is called in its
     * coroutine and may wait. The end is signalled without a request, as soon as the channel is closed and empty. A
     * request for 0 or fewer values is the subscriber's error at once. A subscriber that requests no more while there
     * are values keeps the run alive until it cancels.
     *
     * <p>Any thread may subscribe, request and cancel.
     */
    public Flow.Publisher<T> publisher() {
        return new ChannelPublisher<>(core);
    }

    /**
     * Creates a channel that a publisher feeds. No more items are requested than the channel has room for. The
     * publisher's end closes the channel explicitly; its error closes the channel with {@link CloseReason#NO_PRODUCERS}
     * and the error as the cause. Closing the channel cancels the subscription, and so does the end of the run.
     *
     * <p>The publisher's signals may come from any thread.
     *
     * @param source the publisher
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
     * Ends sending. Values in the channel can still be received. Senders that wait throw {@link ChannelException}, and
     * so do receivers for which there is no value. A second call does nothing.
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

    /** Returns how many values can be sent ahead; never changes. */
    public int capacity() {
        return core.capacity();
    }

    /**
     * Returns how many values the channel holds. Values of senders that were woken count. So do values reserved for
     * receivers that were woken and have not run yet; therefore the size may exceed the capacity. With capacity 0 it is
     * at least 1 while a sender waits. It does not say whether a send or a receive would wait.
     */
    public int size() {
        return core.size();
    }

    /** True if {@link #size} is 0. */
    public boolean isEmpty() {
        return core.size() == 0;
    }

    /** True if {@link #size} has reached the capacity, or 1 if the capacity is 0. */
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
         * Sets the name that {@code toString}, dumps and reports show.
         *
         * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name
         *     is none
         */
        public Builder<T> name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets how many values can be sent ahead.
         *
         * @param capacity >= 0; 0, the default, hands each value over directly
         */
        public Builder<T> capacity(int capacity) {
            this.capacity = capacity;
            return this;
        }

        /**
         * Closes the channel with {@link CloseReason#NO_PRODUCERS} when receivers have waited that long and nothing was
         * sent.
         *
         * @param limit >= 0, counted from the last progress; zero, the default, for no limit
         * @throws IllegalArgumentException if negative
         */
        public Builder<T> noProducerTimeout(Duration limit) {
            noProducer = TimeLimits.notNegative(limit, "noProducerTimeout");
            return this;
        }

        /**
         * Closes the channel with {@link CloseReason#NO_CONSUMERS} when senders have waited that long and nothing was
         * received.
         *
         * @param limit >= 0, counted from the last progress; zero, the default, for no limit
         * @throws IllegalArgumentException if negative
         */
        public Builder<T> noConsumerTimeout(Duration limit) {
            noConsumer = TimeLimits.notNegative(limit, "noConsumerTimeout");
            return this;
        }

        /**
         * Sets whether the timeouts are always waited for in full. The default is soft timeouts: they keep no run
         * alive, and as soon as nothing else in the runtime can make progress, the channel closes with
         * {@link CloseReason#DEADLOCK}, before its timeout is over and without a {@link DeadlockError}. One timeout is
         * enough for that, whichever side waits; only a channel without any takes part in a deadlock of the runtime.
         *
         * @param hard true to wait in full
         */
        public Builder<T> hardTimeouts(boolean hard) {
            this.hard = hard;
            return this;
        }

        /**
         * Creates the channel.
         *
         * @throws IllegalArgumentException if the capacity is negative
         * @throws AsyncException if there is no runtime here
         */
        public Channel<T> build() {
            var core = ChannelCore.owned(Runtimes.here("Channel.builder"), capacity);
            if (name != null) core.setName(name);
            if (!noProducer.isZero() || !noConsumer.isZero()) ChannelTimeouts.watch(core, noProducer, noConsumer, hard);
            return new Channel<>(core);
        }
    }
}
