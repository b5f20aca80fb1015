package org.trueasync.internal.cluster.data;

import com.hazelcast.spi.impl.AbstractDistributedObject;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.topic.ITopic;
import com.hazelcast.topic.Message;
import com.hazelcast.topic.impl.PublishOperation;
import com.hazelcast.topic.impl.TopicService;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.cluster.EngineWaits;

/**
 * A topic as one member sees it: a topic of the engine, whose messages are bytes.
 *
 * <p>Loop thread only.
 */
public final class TopicEnd {
    private final Shared shared;
    private final String name;

    /**
     * The end of a topic.
     *
     * @param shared of this member
     * @param name of the topic
     */
    public TopicEnd(Shared shared, String name) {
        this.shared = shared;
        this.name = name;
    }

    /**
     * Publishes a message.
     *
     * @param message any that can be serialised
     * @param token ends the wait, null for none
     */
    public void publish(@Nullable Object message, @Nullable Completable<?> token) {
        EngineWaits.throwIfEnded(token);
        byte[] bytes = shared.values().encode(message, toString());
        EngineWaits.await(() -> published(bytes), token, "publish to " + this);
    }

    /**
     * Does what the engine's own {@code publish} does. The engine's {@code publishAsync} does not: it asks the wrong
     * service if all members get messages in one order.
     */
    private CompletionStage<Boolean> published(byte[] bytes) {
        NodeEngine node = ((AbstractDistributedObject<?>) topic()).getNodeEngine();
        var publish = new PublishOperation(SharedConfig.TOPICS + name, node.toData(bytes));
        int partition = node.getPartitionService().getPartitionId(SharedConfig.TOPICS + name);
        return node.getOperationService()
                .<Object>invokeOnPartition(TopicService.SERVICE_NAME, publish, partition)
                .thenApply(nothing -> true);
    }

    /**
     * Subscribes.
     *
     * @param <T> type of the messages
     * @param backlog how many may wait
     * @param dropping true to drop further ones, false to end the subscription with the first of them
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // T says whether it may be null
    public <T> Feed<T> subscribe(int backlog, boolean dropping) {
        return shared.feed(
                backlog,
                dropping,
                "subscription to " + this,
                message -> (T) read(message),
                this::register,
                id -> topic().removeMessageListener(id));
    }

    private UUID register(Consumer<Object> feed) {
        return topic().addMessageListener(feed::accept);
    }

    @SuppressWarnings("unchecked") // published by our own
    private @Nullable Object read(Object message) {
        return shared.values().decode(((Message<byte[]>) message).getMessageObject(), toString());
    }

    private ITopic<byte[]> topic() {
        return shared.engine().getTopic(SharedConfig.TOPICS + name);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "cluster topic '" + name + "'";
    }
}
