package org.trueasync;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.threads.ThreadChannelCore;

/**
 * A queue between threads: any number of coroutines of any runtime and of plain threads send and receive. Values arrive
 * in the order in which they were sent, each at one receiver. They are not copied, so a value should not be changed
 * once it is sent.
 *
 * <p>Only the caller waits: a coroutine suspends, and its runtime goes on; a thread parks. Waiters are served in the
 * order of their arrival. A coroutine that waits here is never part of a {@linkplain DeadlockError deadlock}, as any
 * thread might still send or receive.
 *
 * <p>A channel that was created inside a runtime ends with that runtime: then {@code send} throws a
 * {@link ThreadChannelException}. The values in the channel can still be received; once there are none, {@code receive}
 * throws this exception too.
 *
 * <p>All methods: any thread. Memory consistency effects: actions of a thread before it sends a value happen-before
 * actions of another thread after it has received that value.
 *
 * @param <T> type of the values; may be nullable
 */
public final class ThreadChannel<T extends @Nullable Object> implements Awaitable, Iterable<T>, AutoCloseable {
    private static final int DEFAULT_CAPACITY = 16;

    private final ThreadChannelCore core;

    /** Creates a channel for 16 values. */
    public ThreadChannel() {
        this(DEFAULT_CAPACITY);
    }

    /**
     * Creates a channel with this capacity.
     *
     * @param capacity how many values fit, >= 1
     * @throws IllegalArgumentException if it is less
     */
    public ThreadChannel(int capacity) {
        core = new ThreadChannelCore(capacity, null);
    }

    /**
     * As {@link #ThreadChannel(int)}, with a name that {@code toString} and reports show.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param capacity how many values fit, >= 1
     * @throws IllegalArgumentException if it is less
     */
    public ThreadChannel(String name, int capacity) {
        core = new ThreadChannelCore(capacity, Names.readable(name));
    }

    /**
     * Sends a value. Waits while the channel is full.
     *
     * @param value any, null too
     * @throws ThreadChannelException if the channel is closed, or ends with its runtime, before the call or while it
     *     waits
     * @throws AsyncCancellation if this coroutine was cancelled, or this thread interrupted while it waited (its
     *     interrupt status stays set); nothing was sent then
     */
    public void send(T value) {
        core.send(value, null);
    }

    /**
     * As {@link #send(Object)}; gives up when the token ends.
     *
     * @param value any, null too
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if the channel
     *     has room; nothing was sent then
     * @throws AsyncException outside a coroutine: a token belongs to a runtime
     */
    public void send(T value, Completable<?> cancellation) {
        core.send(value, java.util.Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Sends a value if that needs no waiting.
     *
     * @param value any, null too
     * @return false if the channel is full, is closed, or has ended with its runtime
     */
    public boolean trySend(T value) {
        return core.trySend(value);
    }

    /**
     * Takes the next value. Waits while there is none.
     *
     * @return what was sent
     * @throws ThreadChannelException if the channel is empty, and is closed or has ended with its runtime
     * @throws AsyncCancellation if this coroutine was cancelled, or this thread interrupted while it waited (its
     *     interrupt status stays set); no value is lost
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // T says whether a value may be null
    public T receive() {
        return (T) core.receive(null);
    }

    /**
     * As {@link #receive()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @return what was sent
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if there is a
     *     value; no value is lost
     * @throws AsyncException outside a coroutine: a token belongs to a runtime
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public T receive(Completable<?> cancellation) {
        return (T) core.receive(java.util.Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Ends sending: calls of {@code send} and {@code receive} that wait throw a {@link ThreadChannelException}. The
     * values in the channel can still be received. A second call does nothing.
     */
    @Override
    public void close() {
        core.close();
    }

    /** True once it was closed or has ended with its runtime. There may be values left. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /** True if no value was there a moment ago. */
    public boolean isEmpty() {
        return core.size() == 0;
    }

    /** True if there was no room a moment ago. */
    public boolean isFull() {
        return core.isFull();
    }

    /**
     * Returns how many values were in the channel a moment ago, without those that were already given to a receiver. A
     * receiver that leaves gives its value back, and that takes no room: so there may be more than the capacity.
     */
    public int size() {
        return core.size();
    }

    /** Returns how many values fit, >= 1. */
    public int capacity() {
        return core.capacity();
    }

    /**
     * Returns an iterator that receives until the channel is closed and empty; {@code hasNext} waits. Each value goes
     * to one iterator or receiver. If the channel ends with its runtime, {@code hasNext} throws a
     * {@link ThreadChannelException}.
     */
    @Override
    public Iterator<T> iterator() {
        return new Values();
    }

    private final class Values implements Iterator<T> {
        /** True while {@link #value} is received and not returned. */
        private boolean fetched;

        private @Nullable T value;

        @Override
        public boolean hasNext() {
            if (fetched) return true;
            try {
                value = receive();
                fetched = true;
            } catch (ThreadChannelException e) {
                if (!core.isClosedOnPurpose()) throw e;
            }
            return fetched;
        }

        @Override
        @SuppressWarnings("NullAway") // as above
        public T next() {
            if (!hasNext()) throw new NoSuchElementException(core + " is closed and empty");
            fetched = false;
            T next = value;
            value = null;
            return next;
        }
    }

    @Override
    public String toString() {
        return core.toString();
    }
}
