package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.internal.testkit.FreePort;

/** A member in another process is killed while it holds a lock, waits for values, and receives them. */
@Tag("deep")
class KilledMemberTest {
    private static final int VALUES = 300;

    @Test
    @Timeout(600)
    void killedMember_locksGoOn_channelsGoOn_nothingComesTwice() throws Exception {
        int port = FreePort.any();
        String name = "killed-" + port;
        Async.run((Body) () -> withTimeout(Duration.ofSeconds(180), () -> {
            try (var here =
                    Cluster.join(SharingMember.config(name, port).port(port).build())) {
                run(here, name, port);
            }
        }));
    }

    private static void run(Cluster here, String name, int port) throws Exception {
        // which member keeps them is known only once there are two
        String[] channels = IntStream.range(0, 12).mapToObj(i -> "numbers-" + i).toArray(String[]::new);
        try (var other = SharingMember.start(name, port, channels)) {
            long fence = Long.parseLong(other.says("holds"));
            other.says("ready");
            blocking(() -> {
                while (!here.engine().getPartitionService().isClusterSafe()) Thread.sleep(10);
                return null;
            });
            List<String> used = List.of(keptHere(here, channels, true), keptHere(here, channels, false));

            var lock = here.lock("held");
            assertThat(lock.tryLock()).isFalse();
            var next = spawn(() -> {
                lock.lock();
                return lock.fence();
            });
            Map<String, List<Integer>> got = new HashMap<>();
            List<org.trueasync.Coroutine<?>> senders = new ArrayList<>();
            for (String each : used) {
                got.put(each, new ArrayList<>());
                ClusterChannel<Integer> channel = here.channel(each, 4);
                senders.add(spawn(() -> {
                    for (int i = 0; i < VALUES; i++) channel.send(i);
                    channel.close();
                }));
            }
            for (int i = 0; i < 40; i++) note(other.says("got"), got);
            assertThat(next.isCompleted()).isFalse();

            for (String line : other.kill()) if (line.startsWith("got")) note(line.substring(4), got);
            for (String each : used) {
                ClusterChannel<Integer> channel = here.channel(each, 4);
                for (int value : channel) got.get(each).add(value);
            }
            for (var each : senders) await(each);
            for (String each : used) {
                assertThat(got.get(each)).as(each).doesNotHaveDuplicates();
                // what a receiver there had taken and not yet told of
                assertThat(got.get(each)).as(each).hasSizeBetween(VALUES - SharingMember.RECEIVERS, VALUES);
            }
            assertThat(await(next)).isGreaterThan(fence);
            ClusterChannel<Integer> empty = here.channel("empty", 4);
            empty.send(42);
            assertThat(empty.receive()).isEqualTo(42);
        }
    }

    private static void note(String line, Map<String, List<Integer>> got) {
        String[] words = line.split(" ", -1);
        got.get(words[0]).add(Integer.parseInt(words[1]));
    }

    private static String keptHere(Cluster here, String[] names, boolean wanted) {
        for (String name : names) {
            var owner = here.engine().getPartitionService().getPartition(name).getOwner();
            if (owner != null && owner.localMember() == wanted) return name;
        }
        throw new AssertionError("all channels are kept by one member");
    }
}
