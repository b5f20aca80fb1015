package org.trueasync.cluster;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Awaitable;
import org.trueasync.ChannelException;
import org.trueasync.Completable;
import org.trueasync.Received;
import org.trueasync.internal.cluster.data.ChannelEnd;

/**
 * A queue between members: any number of coroutines of any member send and receive. Values come in the order in which
 * they were sent, each to one receiver; they travel serialised, and the receiver gets a copy.
 *
 * <p>A wait suspends only the calling coroutine, and a member with ten thousand waiters asks for all of them at once.
 * The waiters of one member are served in the order of their calls, members in the order in which they have asked. A
 * member that has waited in vain for a second may pass those in front of it, as they may be lost.
 *
 * <p>The channel is kept by one member, with a copy on another. If one of the two dies, nothing is lost and nothing
 * comes twice. If both die at once, the channel is lost, and its users get a {@link ClusterException}. A value belongs
 * to the member that has taken it: if that dies, the value is gone with it, whether {@code receive} has returned it or
 * not. So a value is received <b>at most once</b>. No member takes more than its coroutines wait for. If the cluster
 * has split, or a member goes on that hung for longer than {@linkplain ClusterConfig.Builder#silence the silence}, each
 * side has the channel, and a value may be received on both.
 *
 * <p>A channel lives as long as the cluster, not as long as the program that made it; a closed one stays closed.
 *
 * <p>Loop thread only, except {@code capacity} and {@code name}.
 *
 * @param <T> of the values: {@link java.io.Serializable}, of classes that the receiving member allows; may be nullable
 */
public final class ClusterChannel<T extends @Nullable Object> implements Awaitable, Iterable<T>, AutoCloseable {
    private final ChannelEnd end;

    ClusterChannel(ChannelEnd end) {
        this.end = end;
    }

    // ---- sending

    /**
     * Sends a value; waits while the channel is full, and for the member that keeps it. A send that throws has not sent
     * the value, except in two cases: a {@link ClusterException} may say that this is not known, and the end of the run
     * may cut the send short.
     *
     * @param value any, null too
     * @throws ChannelException if the channel is closed, before or meanwhile
     * @throws ClusterException if the value can't be serialised, this member has left the cluster, or the channel is
     *     lost
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled; nothing was sent then, unless the end of
     *     the run did not wait for the answer. If the value was on its way and was sent, this call returns normally,
     *     and the next wait throws
     */
    public void send(T value) {
        end.send(value, null);
    }

    /**
     * As {@link #send(Object)}; gives up when the token ends. If the value is on its way by then, this waits for the
     * answer; if the member that keeps the channel hangs, until the others have noticed that.
     *
     * @param value any, null too
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; nothing was sent then
     */
    public void send(T value, Completable<?> cancellation) {
        end.send(value, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Sends a value if there is room. It waits for the member that keeps the channel, but not for room.
     *
     * @param value any, null too
     * @return false if the channel is full or closed, or if its room is kept for coroutines that wait for it, here or
     *     on other members
     * @throws ClusterException as {@link #send(Object)}
     */
    public boolean trySend(T value) {
        return end.trySend(value);
    }

    // ---- receiving

    /**
     * Returns the next value; waits while there is none.
     *
     * @return what was sent
     * @throws ChannelException if the channel is closed and empty
     * @throws ClusterException if the value is of a class that is unknown or not allowed here, and is dropped; if this
     *     member has left the cluster, or the channel is lost
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled; no value is lost: it goes to the next
     *     receiver here, or back to its place in the channel
     */
    public T receive() {
        return value(end.receive(null));
    }

    /**
     * As {@link #receive()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no value is lost
     */
    public T receive(Completable<?> cancellation) {
        return value(end.receive(Objects.requireNonNull(cancellation, "cancellation")));
    }

    /**
     * As {@link #receive()}; gives up after a time.
     *
     * @param limit > 0
     * @throws org.trueasync.OperationCanceledException if the time is over; no value is lost
     * @throws IllegalArgumentException if the limit is not positive
     */
    public T receive(Duration limit) {
        return receive(Async.timeout(limit));
    }

    /**
     * Returns the next value if there is one now. It waits for the member that keeps the channel, but not for a value.
     *
     * @return nothing if there is none, or if the values are kept for coroutines that wait for them, here or on other
     *     members; also if the channel is closed and empty
     * @throws ClusterException as {@link #receive()}
     */
    public Received<T> tryReceive() {
        byte[] bytes = end.tryReceive();
        return bytes == null ? Received.nothing() : Received.of(value(bytes));
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // T says whether a value may be null
    private T value(byte[] bytes) {
        return (T) end.read(bytes);
    }

    /**
     * Receives until the channel is closed and empty; {@code hasNext} waits. Each value goes to one iterator or
     * receiver. A value for which {@code hasNext} has returned true belongs to this iterator: no other receiver gets
     * it.
     */
    @Override
    public Iterator<T> iterator() {
        return new Values();
    }

    // ---- the end

    /** As {@link #close(String)}; the reason says that a member has closed it. */
    @Override
    public void close() {
        end.close("by a member");
    }

    /**
     * Closes the channel for all members. Senders get a {@link ChannelException}, also those that wait. The values in
     * the channel can still be received, by any member; after that receivers get the exception too. Idempotent; the
     * first reason stays.
     *
     * @param why the text of the exceptions
     * @throws ClusterException if this member has left the cluster, or the channel is lost
     */
    public void close(String why) {
        end.close(Objects.requireNonNull(why, "why"));
    }

    /**
     * True once any member has closed it; there may be values left. Waits for the member that keeps the channel, unless
     * this one knows already that it is closed.
     *
     * @throws ClusterException if this member has left the cluster, or the channel is lost
     */
    public boolean isClosed() {
        return end.isClosed();
    }

    // ---- about it

    /**
     * Returns how many values there were when the member that keeps the channel answered; waits for the answer.
     *
     * @throws ClusterException if this member has left the cluster, or the channel is lost
     */
    public int size() {
        return end.size();
    }

    /** True if {@link #size} is 0. */
    public boolean isEmpty() {
        return end.size() == 0;
    }

    /** True if {@link #size} is the capacity or more: with values that receivers have given back it may be more. */
    public boolean isFull() {
        return end.size() >= end.capacity();
    }

    /** Returns how many values fit, >= 1. */
    public int capacity() {
        return end.capacity();
    }

    /** Returns its name, which is the same on all members. */
    public String name() {
        return end.name();
    }

    @Override
    public String toString() {
        return end.toString();
    }

    private final class Values implements Iterator<T> {
        private byte @Nullable [] ahead;

        @Override
        public boolean hasNext() {
            if (ahead != null) return true;
            try {
                ahead = end.receive(null);
                return true;
            } catch (ChannelException e) {
                return false;
            }
        }

        @Override
        public T next() {
            if (!hasNext()) throw new NoSuchElementException(end + " is closed and empty");
            byte[] bytes = Objects.requireNonNull(ahead);
            ahead = null;
            return value(bytes);
        }
    }
}
