package org.trueasync.cluster;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Awaitable;
import org.trueasync.Completable;
import org.trueasync.internal.cluster.data.Feed;

/**
 * What others publish, from now on, in a backlog of this member. A slow subscriber holds up nobody; {@link Overflow} says what it loses.
 *
 * <p>Loop thread only, except {@code isClosed} and {@code missed}.
 *
 * @param <T> of what comes
 */
public final class ClusterSubscription<T extends @Nullable Object> implements Awaitable, Iterable<T>, AutoCloseable {
    private final Feed<T> feed;

    ClusterSubscription(Feed<T> feed) {
        this.feed = feed;
    }

    /**
     * The next one; waits for it.
     *
     * @throws ClusterException if the subscription is closed and nothing is left, or this member was too slow and {@link Overflow#FAIL} applies; if what came can't be read
     *     here, and is dropped
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

    /** Receives until the subscription is closed, and throws if it has ended because this member was too slow; {@code hasNext} waits. */
    @Override
    public Iterator<T> iterator() {
        return new Values();
    }

    /** Listens no more; what is in the backlog can still be received. Waits until the engine has noticed. Idempotent. */
    @Override
    public void close() {
        feed.close();
    }

    /** True once it was closed here, or its member has left the cluster. */
    public boolean isClosed() {
        return feed.isClosed();
    }

    /** How many came that there was no room for. */
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
