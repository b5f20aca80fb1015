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
 * Sends values to members that get them without a call of their own, and receives those for this member.
 *
 * <p>Any thread.
 */
final class Deliveries {
    private static final String KEY = "org.trueasync.deliveries";

    private final NodeEngine node;
    private final Executor loop;
    private final Consumer<Delivery> receiver;

    /**
     * The deliveries of a member.
     *
     * @param loop runs the receiver
     * @param receiver gets the deliveries for this member
     */
    Deliveries(HazelcastInstance engine, NodeEngine node, Executor loop, Consumer<Delivery> receiver) {
        this.node = node;
        this.loop = loop;
        this.receiver = receiver;
        engine.getUserContext().put(KEY, this);
    }

    /** Returns the object of this member; null before the member has joined, and without an engine. */
    static @Nullable Deliveries of(@Nullable HazelcastInstance engine) {
        return engine == null ? null : (Deliveries) engine.getUserContext().get(KEY);
    }

    /**
     * True if the keeper has nothing to send: there are no deliveries, or a member with a copy is told to send them.
     */
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
            // the run has ended: nothing waits any more
        }
    }
}
