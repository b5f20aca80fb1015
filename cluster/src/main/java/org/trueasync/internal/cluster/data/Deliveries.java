package org.trueasync.internal.cluster.data;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Values that go to members without a call of theirs, and those that come here.
 *
 * <p>Any thread.
 */
final class Deliveries {
    private static final String KEY = "org.trueasync.deliveries";

    private final NodeEngine node;
    private final Executor loop;
    private final Consumer<Delivery> receiver;

    /**
     * Those of a member.
     *
     * @param loop runs the receiver
     * @param receiver gets what comes here
     */
    Deliveries(HazelcastInstance engine, NodeEngine node, Executor loop, Consumer<Delivery> receiver) {
        this.node = node;
        this.loop = loop;
        this.receiver = receiver;
        engine.getUserContext().put(KEY, this);
    }

    /** Those of this member; none before it has joined, and without an engine. */
    static @Nullable Deliveries of(@Nullable HazelcastInstance engine) {
        return engine == null ? null : (Deliveries) engine.getUserContext().get(KEY);
    }

    /** True if there is a member with a copy, who is told to deliver. */
    boolean leftToCopy(String channel, ChannelChange change) {
        if (!change.hasDeliveries()) return true;
        InternalPartitionService partitions = (InternalPartitionService) node.getPartitionService();
        if (partitions.getPartition(partitions.getPartitionId(channel)).getReplica(1) == null) return false;
        change.leaveToCopy();
        return true;
    }

    void send(List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) send(delivery);
    }

    private void send(Delivery delivery) {
        Member to = node.getClusterService().getMember(delivery.member());
        if (to == null) return;
        if (to.localMember()) arrived(delivery);
        else node.getOperationService().send(delivery, to.getAddress());
    }

    void arrived(Delivery delivery) {
        try {
            loop.execute(() -> receiver.accept(delivery));
        } catch (RejectedExecutionException e) {
            // the run has ended: nobody waits any more
        }
    }
}
