package org.trueasync;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.site.Names;
import org.trueasync.internal.threads.ThreadChannelCore;

/**
 * A queue between threads: coroutines of any runtime and plain threads send and receive, as many as like. Values arrive in the order in which they were
 * sent, each at one receiver; they are passed as they are, so what is sent should not be changed any more.
 *
 * <p>Who has to wait waits alone: a coroutine suspends, its runtime goes on; a thread parks. Waiters are served in the order of their arrival. A
 * coroutine that waits here is never part of a {@linkplain DeadlockError deadlock}, as any thread might come.
 *
 * <p>A channel that was made inside a runtime ends with it: what is left can still be received, then whoever waits or comes gets a
 * {@link ThreadChannelException}.
 *
 * <p>All methods: any thread. Memory consistency effects: what a thread did before it sent a value happens before what another does after it has received it.
 *
 * @param <T> type of the values; may be nullable
 */
public final class ThreadChannel<T extends @Nullable Object> implements Awaitable, Iterable<T>, AutoCloseable {
    private static final int DEFAULT_CAPACITY = 16;

    private final ThreadChannelCore core;

    /** A channel for 16 values. */
    public ThreadChannel() {
        this(DEFAULT_CAPACITY);
    }

    /**
     * A channel for so many values.
     *
     * @param capacity >= 1
     * @throws IllegalArgumentException if it is less
     */
    public ThreadChannel(int capacity) {
        core = new ThreadChannelCore(capacity, null);
    }

    /**
     * As {@link #ThreadChannel(int)}, with a name that {@code toString} and reports show.
     *
     * @param name what can't be printed is shown as {@code ?}, and what is beyond 100 characters is cut; a blank one is none
     * @param capacity >= 1
     * @throws IllegalArgumentException if it is less
     */
    public ThreadChannel(String name, int capacity) {
        core = new ThreadChannelCore(capacity, Names.readable(name));
    }

    /**
     * Sends a value; waits while the channel is full.
     *
     * @param value any, null too
     * @throws ThreadChannelException if the channel is closed, before or meanwhile
     * @throws AsyncCancellation if this coroutine was cancelled, or this thread interrupted; nothing was sent then
     */
    public void send(T value) {
        core.send(value, null);
    }

    /**
     * As {@link #send(Object)}; gives up when the token ends.
     *
     * @param value any, null too
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended, also where there is room; nothing was sent then
     * @throws AsyncException outside a coroutine, to whose runtime a token belongs
     */
    public void send(T value, Completable<?> cancellation) {
        core.send(value, java.util.Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Sends a value if that needs no waiting.
     *
     * @param value any, null too
     * @return false if the channel is full or closed
     */
    public boolean trySend(T value) {
        return core.trySend(value);
    }

    /**
     * The next value; waits while there is none.
     *
     * @return what was sent
     * @throws ThreadChannelException if the channel is closed, and nothing is left
     * @throws AsyncCancellation if this coroutine was cancelled, or this thread interrupted; no value is lost
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
     * @throws OperationCanceledException if the token ended first, or had ended, also where a value is there; no value is lost
     * @throws AsyncException outside a coroutine, to whose runtime a token belongs
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public T receive(Completable<?> cancellation) {
        return (T) core.receive(java.util.Objects.requireNonNull(cancellation, "cancellation"));
    }

    /** Nothing is sent any more, who waits to send gets a {@link ThreadChannelException}; what is left can be received. Again does nothing. */
    @Override
    public void close() {
        core.close();
    }

    /** True once it was closed or has ended with its runtime; there may be values left. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /** True if no value was there a moment ago. */
    public boolean isEmpty() {
        return core.size() == 0;
    }

    /** True if there was no room a moment ago. */
    public boolean isFull() {
        return core.size() == core.capacity();
    }

    /** How many values were there a moment ago; those apart that are on their way to a receiver. */
    public int size() {
        return core.size();
    }

    /** How many values fit, >= 1. */
    public int capacity() {
        return core.capacity();
    }

    /**
     * Receives until the channel is closed and empty; {@code hasNext} waits. Each value goes to one iterator or receiver. If the channel ends with its
     * runtime, that is thrown.
     */
    @Override
    public Iterator<T> iterator() {
        return new Values();
    }

    private final class Values implements Iterator<T> {
        private boolean ahead;
        private @Nullable T value;

        @Override
        public boolean hasNext() {
            if (ahead) return true;
            try {
                value = receive();
                ahead = true;
            } catch (ThreadChannelException e) {
                if (!core.isClosedOnPurpose()) throw e;
            }
            return ahead;
        }

        @Override
        @SuppressWarnings("NullAway") // as above
        public T next() {
            if (!hasNext()) throw new NoSuchElementException(core + " is closed and empty");
            ahead = false;
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
