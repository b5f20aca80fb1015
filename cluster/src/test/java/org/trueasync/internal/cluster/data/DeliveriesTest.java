package org.trueasync.internal.cluster.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import com.hazelcast.spi.impl.AbstractDistributedObject;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.internal.cluster.AllowedClasses;
import org.trueasync.internal.cluster.ObjectCodec;
import org.trueasync.internal.testkit.FreePort;

/** Values that come without a call: late, twice, too early, and for somebody who has just left; and who sends them. */
@Tag("deep")
@Timeout(120)
class DeliveriesTest {
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2};

    private static ClusterConfig.Builder config(int first) {
        return ClusterConfig.builder().name("deliveries-" + first).members("127.0.0.1:" + first);
    }

    private static ChannelEnd end(Cluster cluster, String name) {
        var values = new Values(new ObjectCodec(new AllowedClasses(List.of()), DeliveriesTest.class.getClassLoader()));
        return new Shared(cluster.engine(), values).channel(name, 4);
    }

    @Test
    void whatComes_isTakenOnce_inOrder_andByThisMemberOnly() throws Exception {
        int port = FreePort.any();
        Async.run((Body) () -> {
            try (var cluster = Cluster.join(config(port).port(port).build())) {
                ChannelEnd end = end(cluster, "once");
                UUID self = cluster.self().id();
                var first = spawn(() -> end.receive(null));
                var second = spawn(() -> end.receive(null));
                delay(50);
                end.arrived(new Delivery("once", self, 1, List.of(TWO)));
                end.arrived(new Delivery("once", new UUID(0, 1), 0, List.of(TWO)));
                assertThat(await(spawn(() -> first.isCompleted()))).isFalse();
                end.arrived(new Delivery("once", self, 0, List.of(ONE)));
                end.arrived(new Delivery("once", self, 0, List.of(ONE)));
                assertThat(await(first)).isEqualTo(ONE);
                end.arrived(new Delivery("once", self, 0, List.of(ONE, TWO)));
                assertThat(await(second)).isEqualTo(TWO);
                assertThat(end.size()).isZero();
            }
        });
    }

    @Test
    void receiverThatIsCancelledWithItsValueInHand_leavesItToTheNext_orGivesItBack() throws Exception {
        int port = FreePort.any();
        Async.run((Body) () -> {
            try (var cluster = Cluster.join(config(port).port(port).build())) {
                ChannelEnd end = end(cluster, "in hand");
                UUID self = cluster.self().id();
                var leaves = spawn(() -> end.receive(null));
                var next = spawn(() -> end.receive(null));
                delay(50);
                end.arrived(new Delivery("in hand", self, 0, List.of(ONE)));
                leaves.cancel();
                assertThatThrownBy(() -> await(leaves)).isInstanceOf(AsyncCancellation.class);
                assertThat(await(next)).isEqualTo(ONE);

                var alone = spawn(() -> end.receive(null));
                delay(50);
                end.arrived(new Delivery("in hand", self, 1, List.of(TWO)));
                alone.cancel();
                assertThatThrownBy(() -> await(alone)).isInstanceOf(AsyncCancellation.class);
                while (end.size() == 0) delay(1);
                assertThat(end.tryReceive()).isEqualTo(TWO);
            }
        });
    }

    @Test
    void theMemberWithTheCopySends_andWithoutOneTheKeeper() throws Exception {
        int port = FreePort.any();
        Async.run((Body) () -> {
            try (var cluster = Cluster.join(config(port).port(port).build())) {
                end(cluster, "copied");
                NodeEngine node =
                        ((AbstractDistributedObject<?>) cluster.engine().getMap(SharedConfig.CHANNELS)).getNodeEngine();
                var deliveries = new Deliveries(cluster.engine(), node, Async.executor(), arrived -> {});
                var state = new ChannelState();
                state.values.add(ONE);
                var change = new ChannelChange();
                assertThat(deliveries.leftToCopy("copied", change))
                        .as("nothing to send")
                        .isTrue();
                change.give(state, new UUID(0, 1), 1);
                assertThat(deliveries.leftToCopy("copied", change)).isFalse();
                try (var other = Cluster.join(config(port).port(FreePort.any()).build())) {
                    other.awaitMembers(2);
                    while (!deliveries.leftToCopy("copied", change)) delay(10);

                    // and a member that asks again and again gets some values without a call
                    ChannelEnd there = end(other, "copied");
                    NodeEngine otherNode = ((AbstractDistributedObject<?>)
                                    other.engine().getMap(SharedConfig.CHANNELS))
                            .getNodeEngine();
                    List<Delivery> came = new ArrayList<>();
                    var _ = new Deliveries(other.engine(), otherNode, Async.executor(), delivery -> {
                        came.add(delivery);
                        there.arrived(delivery);
                    });
                    var receiver = spawn(() -> {
                        while (true) there.receive(null);
                    });
                    ChannelEnd here = end(cluster, "copied");
                    while (came.isEmpty()) {
                        here.send(1, null);
                        delay(1);
                    }
                    receiver.cancel();
                }
            }
        });
    }
}
