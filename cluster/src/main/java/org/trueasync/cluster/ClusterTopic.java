package org.trueasync.cluster;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.cluster.data.TopicEnd;

/**
 * Messages to all members that listen. Each subscription gets a copy of each message that is published from then on;
 * all get them in the same order. A message is not stored: a member that does not listen when it is published, or can't
 * be reached then, does not get it.
 *
 * <p>Loop thread only, except {@code name}.
 *
 * @param <T> of the messages: {@link java.io.Serializable}, of classes that the listening members allow; may be
 *     nullable
 */
public final class ClusterTopic<T extends @Nullable Object> {
    private static final int BACKLOG = 1_000;

    private final TopicEnd end;

    ClusterTopic(TopicEnd end) {
        this.end = end;
    }

    /**
     * Publishes a message. Waits until the member that orders the topic's messages has sent it on, but not for the
     * subscribers.
     *
     * @param message any, null too
     * @throws ClusterException if it can't be serialised, or this member has left the cluster
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled; the message may have been published
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
     * Subscribes to all messages from now on; waits until all members know.
     *
     * @param backlog how many messages may wait here, >= 1
     * @param overflow what happens to further ones
     * @throws IllegalArgumentException if the backlog is below 1
     * @throws ClusterException if this member has left the cluster
     */
    public ClusterSubscription<T> subscribe(int backlog, Overflow overflow) {
        return new ClusterSubscription<>(end.subscribe(backlog, overflow == Overflow.DROP));
    }

    /** Returns its name, which is the same on all members. */
    public String name() {
        return end.name();
    }

    @Override
    public String toString() {
        return end.toString();
    }
}
