package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.map.IMap;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.internal.testkit.FreePort;

/** Two members in one process. */
@Tag("deep")
class JoinTest {
    @Test
    void twoMembers_findEachOther_andOneLeaves() throws Exception {
        int first = FreePort.any();
        int second = FreePort.any();
        Async.run((Body) () -> {
            ClusterConfig.Builder config =
                    ClusterConfig.builder().name("join-" + first).members("127.0.0.1:" + first, "127.0.0.1:" + second);
            try (var one = Cluster.join(config.port(first).build())) {
                var other = Cluster.join(config.port(second).build());
                assertThat(one.members()).containsExactly(one.self(), other.self());
                assertThat(other.members()).containsExactlyElementsOf(one.members());
                assertThat(one.self().address()).isEqualTo("127.0.0.1:" + first);

                IMap<String, String> map = one.engine().getMap("m");
                EngineWaits.await(() -> map.setAsync("k", "v"), null, "set");
                assertThat(EngineWaits.await(() -> map.getAsync("k"), null, "get"))
                        .isEqualTo("v");
                other.close();
                Waiting.until("alone again", () -> one.members().equals(List.of(one.self())));
                assertThat(other.isClosed()).isTrue();
                assertThatThrownBy(() -> other.map("m").keys().iterator().hasNext())
                        .isInstanceOf(ClusterException.class)
                        .hasMessage("cluster map 'm': this member has left its cluster");
                assertThatThrownBy(() -> EngineWaits.await(
                                () -> other.engine().<String, String>getMap("m").getAsync("k"), null, "get"))
                        .isInstanceOf(ClusterException.class)
                        .hasMessage("get: this member has left its cluster");
            }
        });
    }

    @Test
    void firstPortIsOccupied_nextOneIsTaken_withoutAWarning() throws Exception {
        var said = new CopyOnWriteArrayList<String>();
        var listener = new Handler() {
            @Override
            public void publish(LogRecord record) {
                said.add(record.getLevel() + " " + record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger engine = Logger.getLogger("com.hazelcast");
        engine.addHandler(listener);
        // if it can't be bound, another process has it, which is as good
        try (var occupant = new ServerSocket()) {
            try {
                occupant.bind(new InetSocketAddress("127.0.0.1", 5701));
            } catch (BindException e) {
                assertThat(e).hasMessageContaining("in use");
            }
            Async.run((Body) () -> {
                try (var cluster =
                        Cluster.join(ClusterConfig.builder().name("occupied").build())) {
                    assertThat(cluster.self().port()).isGreaterThan(5701);
                }
            });
        } finally {
            engine.removeHandler(listener);
        }
        assertThat(said).isEmpty();
    }

    @Test
    void clusterThatTakesNoMembersNow_isAskedAgain() throws Exception {
        int port = FreePort.any();
        Async.run((Body) () -> {
            ClusterConfig.Builder config =
                    ClusterConfig.builder().name("frozen-" + port).members("127.0.0.1:" + port);
            try (var one = Cluster.join(config.port(port).build())) {
                // as while it merges with another cluster
                Async.blocking(() -> one.engine().getCluster().changeClusterState(ClusterState.FROZEN));
                var joins = Async.spawn(
                        () -> Cluster.join(config.port(FreePort.any()).build()));
                Async.delay(Duration.ofSeconds(1));
                assertThat(joins.isCompleted()).isFalse();
                Async.blocking(() -> one.engine().getCluster().changeClusterState(ClusterState.ACTIVE));
                try (var other = Async.await(joins)) {
                    one.awaitMembers(2);
                    assertThat(one.submitTo(other.self(), JoinTest::taken).await())
                            .isEqualTo("taken");
                }
            }
        });
    }

    @Test
    void membersJoinAndLeaveMeanwhile_keysThatStayComeOnceEach() throws Exception {
        int port = FreePort.any();
        Async.run((Body) () -> {
            ClusterConfig.Builder config =
                    ClusterConfig.builder().name("keys-" + port).members("127.0.0.1:" + port);
            try (var one = Cluster.join(config.port(port).build())) {
                ClusterMap<Integer, Integer> map = one.map("m");
                List<Integer> all = IntStream.range(0, 2_000).boxed().toList();
                for (int key : all) map.set(key, key);
                var over = new AtomicBoolean();
                var reader = Async.spawn(() -> {
                    int passes = 0;
                    for (; !over.get(); passes++) {
                        List<Integer> seen = new ArrayList<>();
                        for (int key : map.keys()) {
                            seen.add(key);
                            if (key % 20 == 0) Async.delay(1);
                        }
                        assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
                    }
                    return passes;
                });
                for (int i = 0; i < 2; i++)
                    try (var other = Cluster.join(config.port(FreePort.any()).build())) {
                        other.awaitMembers(2);
                        Waiting.until(
                                "it has its part",
                                () -> one.engine().getPartitionService().isClusterSafe());
                    }
                over.set(true);
                assertThat(Async.await(reader)).isGreaterThan(1);
            }
        });
    }

    @Test
    void cancellationThatIsDue_doesNotKeepTheMemberInTheCluster() {
        Async.run((Body) () -> {
            var cluster = Cluster.join(
                    ClusterConfig.builder().name("due").port(FreePort.any()).build());
            var cancelled = Async.spawn(() -> {
                try (cluster) {
                    Async.currentCoroutine().cancel();
                }
            });
            assertThatThrownBy(() -> Async.await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThat(cluster.engine().getLifecycleService().isRunning()).isFalse();
        });
    }

    @Test
    void engineStopsByItself_whoWaitsForMembersOrMessagesLearnsIt() {
        Async.run((Body) () -> {
            var cluster = Cluster.join(
                    ClusterConfig.builder().name("stops").port(FreePort.any()).build());
            var messages = cluster.<String>topic("news").subscribe();
            var changes = cluster.<String, String>map("map").changes();
            var receives = Async.spawn(messages::receive);
            var awaits = Async.spawn(() -> cluster.awaitMembers(2));
            Async.suspend();
            Thread.ofPlatform()
                    .start(() -> cluster.engine().getLifecycleService().terminate());
            assertThatThrownBy(() -> Async.await(awaits)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Async.await(receives)).isInstanceOf(ClusterException.class);
            assertThat(messages.isClosed()).isTrue();
            // the engine's thread ends one subscription after the other
            Waiting.until("the other subscription has ended", changes::isClosed);
            cluster.close();
        });
    }

    @Test
    void whoeverIsCancelledWhileHeJoins_leavesNoMemberBehind() {
        Async.run((Body) () -> {
            int port = FreePort.any();
            String name = "given-up-" + port;
            var joins = Async.spawn(() ->
                    Cluster.join(ClusterConfig.builder().name(name).port(port).build()));
            Waiting.until("the member listens", () -> listens(port));
            // it may have joined between two looks
            assumeThat(joins.isCompleted()).isFalse();
            joins.cancel();
            assertThatThrownBy(() -> Async.await(joins)).isInstanceOf(AsyncCancellation.class);
            Waiting.until(
                    "the member has left",
                    () -> !listens(port)
                            && Hazelcast.getAllHazelcastInstances().stream().noneMatch(each -> isOf(name, each)));
        });
    }

    private static String taken() {
        return "taken";
    }

    private static boolean isOf(String name, HazelcastInstance engine) {
        try {
            return engine.getConfig().getClusterName().equals(name);
        } catch (HazelcastInstanceNotActiveException endedMeanwhile) {
            return false;
        }
    }

    private static boolean listens(int port) {
        try (var _ = new Socket("127.0.0.1", port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void outsideOfARun_joiningIsRefused() {
        assertThatThrownBy(Cluster::join).isInstanceOf(AsyncException.class).hasMessageContaining("Async.run");
    }
}
