package org.trueasync.cluster;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Awaitable;
import org.trueasync.Completable;
import org.trueasync.internal.cluster.data.Feed;

/**
 * A subscription of this member to a topic or the changes of a map, with a backlog. A slow subscriber blocks no sender;
 * {@link Overflow} says what it loses.
 *
 * <p>Loop thread only, except {@code isClosed} and {@code missed}.
 *
 * @param <T> type of the values
 */
public final class ClusterSubscription<T extends @Nullable Object> implements Awaitable, Iterable<T>, AutoCloseable {
    private final Feed<T> feed;

    ClusterSubscription(Feed<T> feed) {
        this.feed = feed;
    }

    /**
     * Returns the next value; waits for it.
     *
     * @throws ClusterException if the subscription is closed and the backlog is empty, or this member was too slow and
     *     {@link Overflow#FAIL} applies; if the value can't be read here, and is dropped
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled; nothing is lost
     */
    public T receive() {
        return feed.receive(null);
    }

    /**
     * As {@link #receive()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; nothing is lost
     */
    public T receive(Completable<?> cancellation) {
        return feed.receive(Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Receives until the subscription is closed, and throws if it has ended because this member was too slow;
     * {@code hasNext} waits.
     */
    @Override
    public Iterator<T> iterator() {
        return new Values();
    }

    /**
     * Ends the subscription; what is in the backlog can still be received. Waits until the engine has removed the
     * subscription. Idempotent.
     *
     * @throws ClusterException if the engine fails to remove it
     */
    @Override
    public void close() {
        feed.close();
    }

    /** True once it was closed, or {@link Cluster#close} has begun on this member. */
    public boolean isClosed() {
        return feed.isClosed();
    }

    /** Returns how many values found no room in the backlog. */
    public long missed() {
        return feed.missed();
    }

    @Override
    public String toString() {
        return feed.toString();
    }

    private final class Values implements Iterator<T> {
        private boolean ahead;
        private @Nullable T value;

        @Override
        public boolean hasNext() {
            if (ahead) return true;
            try {
                value = feed.receive(null);
                ahead = true;
            } catch (ClusterException e) {
                if (!feed.isOver(e)) throw e;
            }
            return ahead;
        }

        @Override
        @SuppressWarnings("NullAway") // T says whether it may be null
        public T next() {
            if (!hasNext()) throw new NoSuchElementException(feed + " is closed");
            ahead = false;
            T next = value;
            value = null;
            return next;
        }
    }
}
