package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;

/** Which faults a run has, and whom they hit. */
class FaultPlanTest {
    private static void send(int everyMillis) throws Exception {
        try (var socket = new DatagramSocket()) {
            while (true) {
                socket.send(new DatagramPacket(new byte[1], 1, InetAddress.getByName("client"), 7000));
                Async.delay(everyMillis);
            }
        }
    }

    /** Takes aim after five seconds, in which one server has sent more than the other. */
    private static void aim(boolean atBusiest, Consumer<Aim> check) {
        var run = new SimulatedRun(1, false);
        run.add("idle", () -> send(1_000), false);
        run.add("busy", () -> send(100), false);
        run.add("client", () -> Async.delay(6_000), true);
        List<Throwable> failed = new ArrayList<>();
        run.world.plan(5_000_000_000L, () -> {
            try {
                check.accept(new Aim(run, new SplittableRandom(1), atBusiest, 0));
            } catch (Throwable e) {
                failed.add(e);
            }
        });
        assertThat(run.run(null)).isNull();
        assertThat(failed).isEmpty();
    }

    @Test
    void aimedFault_hitsTheServerThatSendsMost() {
        aim(true, aim -> assertThat(aim.host()).isEqualTo("busy"));
        aim(true, aim -> assertThat(aim.server()).isEqualTo("busy"));
        aim(true, aim -> assertThat(aim.server("idle")).as("named").isEqualTo("idle"));
        aim(true, aim -> assertThat(aim.host("client")).as("no server is named").isEqualTo("client"));
        aim(true, aim -> assertThat(aim.link()).contains("busy").doesNotHaveDuplicates());
        aim(true, aim -> assertThat(aim.side()).contains("busy").doesNotContain("idle"));
    }

    @Test
    void otherFaults_hitAnyHost() {
        Set<String> hit = new HashSet<>();
        Set<List<String>> sides = new HashSet<>();
        Set<List<String>> servers = new HashSet<>();
        aim(false, aim -> {
            for (int i = 0; i < 50; i++) {
                hit.add(aim.host());
                sides.add(aim.side());
                servers.add(aim.servers());
            }
        });
        assertThat(hit).containsExactlyInAnyOrder("idle", "busy", "client");
        assertThat(sides).hasSize(6);
        assertThat(servers).containsExactlyInAnyOrder(List.of("idle"), List.of("busy"), List.of("idle", "busy"));
    }

    @Test
    void runHasSomeOfTheKinds() {
        Set<Set<String>> runs = new HashSet<>();
        for (long seed = 1; seed <= 20; seed++) {
            var kinds = new HashSet<String>();
            Simulation.replay(seed, sim -> {
                int[] begun = {0};
                sim.host("db", () -> {
                    if (begun[0]++ > 0) kinds.add("kills");
                    while (true) {
                        long before = sim.elapsed().toMillis();
                        Async.delay(10);
                        if (sim.elapsed().toMillis() - before > 20) kinds.add("pauses");
                    }
                });
                sim.client(() -> Async.delay(60_000));
                sim.faults().kills().pauses("db");
            });
            runs.add(kinds);
        }
        assertThat(runs).contains(Set.of("kills"), Set.of("pauses"), Set.of("kills", "pauses"));
    }
}
