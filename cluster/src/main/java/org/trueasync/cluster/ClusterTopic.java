package org.trueasync.cluster;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.cluster.data.TopicEnd;

/**
 * Tells all members that listen. Each subscription gets the messages that are published from then on, all of them in the same order; it gets a copy of each. A message is kept nowhere: who does not listen when it is
 * published does not get it, nor does a member that can't be reached then.
 *
 * <p>Loop thread only, except {@code name}.
 *
 * @param <T> of the messages: {@link java.io.Serializable}, of classes that the listening members allow; may be nullable
 */
public final class ClusterTopic<T extends @Nullable Object> {
    private static final int BACKLOG = 1_000;

    private final TopicEnd end;

    ClusterTopic(TopicEnd end) {
        this.end = end;
    }

    /**
     * Publishes a message; waits until the member that puts the topic's messages in order has sent it on, not for the subscribers.
     *
     * @param message any, null too
     * @throws ClusterException if it can't be serialised, or this member has left the cluster
     */
    public void publish(T message) {
        end.publish(message, null);
    }

    /**
     * As {@link #publish(Object)}; gives up when the token ends. The message may have been published then.
     *
     * @param message any, null too
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void publish(T message, Completable<?> cancellation) {
        end.publish(message, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /** As {@link #subscribe(int, Overflow)}: a backlog of 1,000, and {@link Overflow#FAIL}. */
    public ClusterSubscription<T> subscribe() {
        return subscribe(BACKLOG, Overflow.FAIL);
    }

    /**
     * Listens from now on; waits until all members know.
     *
     * @param backlog how many messages may wait here, >= 1
     * @param overflow what happens to more
     */
    public ClusterSubscription<T> subscribe(int backlog, Overflow overflow) {
        return new ClusterSubscription<>(end.subscribe(backlog, overflow == Overflow.DROP));
    }

    /** What all members call it. */
    public String name() {
        return end.name();
    }

    @Override
    public String toString() {
        return end.toString();
    }
}
