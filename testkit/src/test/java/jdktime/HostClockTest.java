package jdktime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.testkit.simulation.Host;
import org.trueasync.testkit.simulation.Simulation;
import org.trueasync.testkit.simulation.SimulationFailure;

/** The clocks of simulated hosts, in a package that the agent takes for a program's. */
class HostClockTest {
    private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");
    private static final Offset<Long> MICROSECOND = within(1_000L);

    @Test
    void wallClockJumps_andNothingElse() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host[] host = new Host[1];
            host[0] = sim.client(() -> {
                host[0].clock(Duration.ofHours(-1), 1);
                long before = System.nanoTime();
                Async.delay(1_000);
                log.add(Instant.now().toString());
                log.add(Instant.ofEpochMilli(System.currentTimeMillis()).toString());
                log.add(Files.getLastModifiedTime(Files.createFile(Path.of("/a")))
                        .toString());
                assertThat(System.nanoTime() - before).isCloseTo(1_000_000_000L, within(100_000L));
                LockSupport.parkUntil(System.currentTimeMillis() + 5_000);
                log.add(sim.elapsed().toSeconds() + " s");
            });
            sim.client(() -> {
                Async.delay(1_000);
                assertThat(Instant.now()).isCloseTo(BEGIN.plusSeconds(1), within(1, ChronoUnit.MILLIS));
            });
        });
        assertThat(log).containsExactly("1999-12-31T23:00:01Z", "1999-12-31T23:00:01Z", "1999-12-31T23:00:01Z", "6 s");
    }

    @Test
    void timersGoByTheClockOfTheirHost() {
        List<Long> times = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host[] host = new Host[1];
            host[0] = sim.client(() -> {
                host[0].clock(Duration.ZERO, 1.25);
                Async.delay(0);
                long before = System.nanoTime();
                Async.delay(10_000);
                assertThat(System.nanoTime() - before).isCloseTo(10_000_000_000L, MICROSECOND);
                times.add(sim.elapsed().toNanos());
                Thread.sleep(10_000);
                times.add(sim.elapsed().toNanos());
                assertThat(Duration.between(BEGIN, Instant.now())).isEqualTo(Duration.ofSeconds(20));
                host[0].clock(Duration.ZERO, 0.5);
                Async.delay(10_000);
                times.add(sim.elapsed().toNanos());
            });
        });
        assertThat(times.get(0)).isCloseTo(8_000_000_000L, MICROSECOND);
        assertThat(times.get(1)).isCloseTo(16_000_000_000L, MICROSECOND);
        assertThat(times.get(2)).isCloseTo(36_000_000_000L, MICROSECOND);
    }

    @Test
    void clocksOutliveARestart() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", () -> {
                log.add(Duration.between(BEGIN, Instant.now()).toString());
                Async.delay(Duration.ofDays(1));
            });
            sim.client(() -> {
                db.clock(Duration.ofHours(1), 1);
                db.kill();
                db.restart();
                Async.delay(1);
            });
        });
        assertThat(log).containsExactly("PT0S", "PT1H");
    }

    @Test
    void faultsOfClocks_comeAndGo_atServersAlone() {
        Set<String> kinds = new HashSet<>();
        for (long seed = 1; seed <= 20; seed++) {
            Simulation.replay(seed, sim -> {
                sim.host("db", () -> {
                    while (true) {
                        Duration ahead = Duration.between(BEGIN.plus(sim.elapsed()), Instant.now());
                        if (ahead.compareTo(Duration.ofMillis(90)) > 0) kinds.add("ahead");
                        if (ahead.compareTo(Duration.ofMillis(-90)) < 0) kinds.add("behind");
                        long before = sim.elapsed().toNanos();
                        Async.delay(100);
                        long error = sim.elapsed().toNanos() - before - 100_000_000;
                        if (error > 0) kinds.add("slow");
                        if (error < 0) kinds.add("fast");
                        assertThat(Math.abs(error)).isLessThan(50_000_000);
                    }
                });
                sim.client(() -> {
                    for (int i = 0; i < 600; i++) {
                        Async.delay(100);
                        assertThat(Instant.now()).isEqualTo(BEGIN.plus(sim.elapsed()));
                    }
                });
                sim.faults().clocks();
            });
        }
        assertThat(kinds).containsExactlyInAnyOrder("ahead", "behind", "slow", "fast");
    }

    @Test
    void rateThatNoClockHas_isRefused() {
        assertThatThrownBy(
                        () -> Simulation.replay(1, sim -> sim.client(() -> {}).clock(Duration.ZERO, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rate must be 0.1 to 10, got 0.0");
    }

    @Test
    void seedRepeatsARun_withFaultsOfClocks() {
        assertThatThrownBy(() -> Simulation.explore(100, sim -> {
                    sim.host("db", () -> Async.delay(Duration.ofDays(1)));
                    sim.client(() -> {
                        Async.delay(60_000);
                        sim.always(sim.random().nextInt(10) > 0 || Math.random() > 2, "luck");
                    });
                    sim.faults().clocks("db", "client");
                }))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageStartingWith("seed ")
                .hasMessageNotContaining("does not repeat");
    }
}
