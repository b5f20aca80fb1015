package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Received;
import org.trueasync.internal.testkit.FreePort;

/** A member that leaves in an orderly way while it receives. */
@Tag("deep")
class LeavingTest {
    private static final int VALUES = 400;

    @Test
    void whatTheLeavingMemberHasNotReceived_goesBack_andWhoWaitsThereLearnsIt() throws Exception {
        int port = FreePort.any();
        int second = FreePort.any();
        Async.run((Body) () -> {
            ClusterConfig.Builder config =
                    ClusterConfig.builder().name("leaving-" + port).members("127.0.0.1:" + port, "127.0.0.1:" + second);
            try (var stays = Cluster.join(config.port(port).build())) {
                var leaves = Cluster.join(config.port(second).build());
                stays.awaitMembers(2);
                List<Integer> got = new ArrayList<>();
                List<Coroutine<?>> receivers = new ArrayList<>();
                ClusterChannel<Integer> there = leaves.channel("numbers", VALUES);
                for (int i = 0; i < 3; i++)
                    receivers.add(spawn(() -> {
                        while (true) got.add(there.receive());
                    }));
                ClusterChannel<Integer> here = stays.channel("numbers", VALUES);
                var sender = spawn(() -> {
                    for (int i = 0; i < VALUES; i++) here.send(i);
                });
                Waiting.until("some have come", () -> got.size() >= VALUES / 4);
                receivers.getFirst().cancel();
                receivers.get(1).cancel();
                leaves.close();
                await(sender);
                assertThatThrownBy(() -> await(receivers.getLast())).isInstanceOf(ClusterException.class);
                assertThat(got).hasSizeLessThan(VALUES);
                for (Received<Integer> next; (next = here.tryReceive()).isPresent(); ) got.add(next.value());
                assertThat(got)
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, VALUES).boxed().toList());
            }
        });
    }
}
