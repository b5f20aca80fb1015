package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.io.LineReader;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.testkit.VirtualTime;
import org.trueasync.testkit.junit.Simulated;

@Timeout(60)
class SimulationTest {
    private static final int PORT = 5432;

    /** Answers each line. */
    private static void echo() {
        var server = TcpServer.listen("0.0.0.0", PORT);
        while (true) {
            TcpStream peer = server.accept();
            spawn(() -> {
                try (peer) {
                    for (String line : peer.lines()) write(peer, "echo " + line);
                } catch (InputOutputException gone) {
                    // it asks again
                }
            });
        }
    }

    private static String ask(String host, String line) {
        try (var stream = TcpStream.connect(host, PORT)) {
            write(stream, line);
            return stream.lines().readLine();
        }
    }

    private static void write(TcpStream stream, String line) {
        stream.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    // ---- network

    @Test
    void hosts_reachEachOtherByName() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", SimulationTest::echo);
            sim.host("empty", () -> {});
            sim.client(() -> {
                log.add(ask("db", "a"));
                log.add(ask(db.address().getHostAddress(), "b"));
                assertThatThrownBy(() -> ask("other", "c")).isInstanceOf(DnsException.class);
                assertThatThrownBy(() -> ask("localhost", "c")).hasMessageContaining("ECONNREFUSED");
                assertThatThrownBy(() -> ask("empty", "c")).hasMessageContaining("ECONNREFUSED");
                assertThat(sim.elapsed()).isLessThan(Duration.ofMillis(10));
                assertThatThrownBy(() -> ask("10.9.9.9", "c")).hasMessageContaining("EHOSTUNREACH");
            });
        });
        assertThat(log).containsExactly("echo a", "echo b");
    }

    @Test
    void cutLink_delaysWhatIsSent_andLosesNothing() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            sim.host("db", SimulationTest::echo);
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    LineReader lines = stream.lines();
                    sim.cut("client", "db");
                    delay(1);
                    write(stream, "a");
                    write(stream, "b");
                    assertThatThrownBy(() -> withTimeout(Duration.ofSeconds(30), () -> lines.readLine()))
                            .isInstanceOf(AsyncTimeoutException.class);
                    sim.mend("db", "client");
                    log.add(lines.readLine());
                    log.add(lines.readLine());
                    log.add("after " + sim.elapsed().toSeconds() + " s"); // 0.2 + 0.4 + ... + 25.6
                }
            });
        });
        assertThat(log).containsExactly("echo a", "echo b", "after 51 s");
    }

    @Test
    void hostWithoutPower_showsByTheLimitsOfTcp() {
        List<Long> times = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", SimulationTest::echo);
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    db.kill();
                    delay(1);
                    write(stream, "a");
                    assertThatThrownBy(() -> stream.lines().readLine()).hasMessageContaining("ETIMEDOUT");
                    times.add(sim.elapsed().toSeconds());
                }
                assertThatThrownBy(() -> ask("db", "b")).hasMessageContaining("ETIMEDOUT");
                times.add(sim.elapsed().toSeconds());
            });
        });
        assertThat(times.get(0)).isBetween(800L, 1_000L); // tcp_retries2
        assertThat(times.get(1) - times.get(0)).isBetween(60L, 130L); // tcp_syn_retries
    }

    @Test
    void endThatHasTimedOut_resetsThePeer() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            sim.host("db", () -> {
                TcpStream peer = TcpServer.listen("0.0.0.0", PORT).accept();
                delay(Duration.ofMinutes(30));
                write(peer, "nobody reads it");
                try {
                    peer.lines().readLine();
                } catch (InputOutputException gone) {
                    log.add("db: " + gone.errno());
                }
                delay(Duration.ofHours(1));
            });
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    sim.cut("client", "db");
                    delay(1);
                    write(stream, "a");
                    assertThatThrownBy(() -> stream.lines().readLine()).hasMessageContaining("ETIMEDOUT");
                    sim.mend("client", "db");
                    delay(Duration.ofMinutes(20));
                }
            });
        });
        assertThat(log).containsExactly("db: ECONNRESET");
    }

    @Test
    void programThatHasEnded_whatItHasWrittenArrives() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", () -> {
                TcpStream peer = TcpServer.listen("0.0.0.0", PORT).accept();
                delay(10);
                write(peer, "bye");
                gracefulShutdown();
            });
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    LineReader lines = stream.lines();
                    sim.cut("db", "client");
                    delay(1_000);
                    log.add("up " + db.isUp());
                    sim.mend("db", "client");
                    log.add(lines.readLine() + " " + lines.readLine());
                }
            });
        });
        assertThat(log).containsExactly("up false", "bye null");
    }

    @Test
    void hostThatHasBegunAgain_resetsNothingThroughACutLink() {
        List<Long> times = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", SimulationTest::echo);
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    sim.cut("client", "db");
                    db.kill();
                    db.restart();
                    delay(1);
                    write(stream, "a");
                    spawn(() -> {
                        delay(100_000);
                        sim.mend("client", "db");
                    });
                    assertThatThrownBy(() -> stream.lines().readLine()).hasMessageContaining("ECONNRESET");
                    times.add(sim.elapsed().toSeconds());
                }
            });
        });
        assertThat(times.getFirst()).isBetween(100L, 110L);
    }

    // ---- hosts

    @Test
    void kill_isSilent_restartResets() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", () -> {
                try {
                    echo();
                } finally {
                    log.add("finally");
                }
            });
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    write(stream, "a");
                    LineReader lines = stream.lines();
                    log.add(lines.readLine());
                    db.kill();
                    delay(10);
                    log.add("up " + db.isUp());
                    write(stream, "b");
                    delay(5_000);
                    db.restart();
                    assertThatThrownBy(lines::readLine).hasMessageContaining("ECONNRESET");
                    log.add("reset at " + sim.elapsed().toSeconds());
                    log.add(ask("db", "c"));
                }
            });
        });
        assertThat(log).containsExactly("echo a", "up false", "reset at 6", "echo c");
    }

    @Test
    void killedHost_keepsNoMemory() throws Exception {
        var held = new ArrayList<WeakReference<byte[]>>();
        Simulation.explore(20, sim -> {
            sim.host("db", () -> {
                TcpServer server = TcpServer.listen("0.0.0.0", PORT);
                byte[] all = new byte[1_000];
                held.add(new WeakReference<>(all));
                delay(Duration.ofDays(1));
                server.close();
                all[0]++;
            });
            sim.client(() -> delay(1_000));
        });
        System.gc(); // the last runs may still be in reach
        assertThat(held).filteredOn(one -> one.get() != null).hasSizeLessThan(10);
    }

    @Test
    void endOfAProgram_closesItsConnections() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            sim.host("db", () -> {
                TcpStream peer = TcpServer.listen("0.0.0.0", PORT).accept();
                write(peer, "bye");
                gracefulShutdown();
            });
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", PORT)) {
                    LineReader lines = stream.lines();
                    log.add(lines.readLine() + " " + lines.readLine());
                }
            });
        });
        assertThat(log).containsExactly("bye null");
    }

    @Test
    void pause_keepsAHostFromRunning_andItsTimersAreLate() {
        List<Long> beats = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", () -> {
                while (true) {
                    beats.add(VirtualTime.elapsed().toSeconds());
                    delay(1_000);
                }
            });
            sim.client(() -> {
                delay(1_500);
                db.pause(Duration.ofSeconds(10));
                delay(12_800);
            });
        });
        assertThat(beats).containsExactly(0L, 1L, 11L, 12L, 13L);
    }

    @Test
    void errorOfAHost_failsTheRun_withItsNameInTheStory() {
        assertThatThrownBy(() -> Simulation.replay(7, sim -> {
                    sim.host("db", () -> {
                        delay(100);
                        throw new IllegalStateException("disk is gone");
                    });
                    sim.client(() -> delay(1_000));
                }))
                .isInstanceOfSatisfying(SimulationFailure.class, failure -> {
                    assertThat(failure.seed()).isEqualTo(7);
                    assertThat(failure.story())
                            .anyMatch(line -> line.matches(
                                    " *0\\.100000 s  db +fails: .*disk is gone +SimulationTest\\.java:\\d+"));
                })
                .hasMessageStartingWith("seed 7: java.lang.IllegalStateException: disk is gone\nTo repeat it:")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void story_isATable_withTheLinesOfTheProgram() {
        assertThatThrownBy(() -> Simulation.replay(1, sim -> {
                    sim.host("db", SimulationTest::echo);
                    sim.client(() -> {
                        ask("db", "a");
                        sim.cut("client", "db");
                        delay(1);
                        sim.always(false, "all is well");
                    });
                }))
                .isInstanceOfSatisfying(SimulationFailure.class, failure -> {
                    int check = failure.getCause().getStackTrace()[1].getLineNumber();
                    String here = "SimulationTest.java:";
                    List<String> story = failure.story().stream()
                            .map(line -> line.replace(here + check, "CHECK").replace(here + (check - 2), "CUT"))
                            .map(line -> line.replaceAll(here + "\\d+", "LINE"))
                            .toList();
                    assertThat(story)
                            .containsExactly(
                                    "  0.000000 s  db       begins",
                                    "  0.000000 s  client   begins",
                                    "  0.000123 s  client   is connected to db:5432" + " ".repeat(41) + "LINE",
                                    "  0.000123 s  client   sends to db:5432 2 B" + " ".repeat(44) + "LINE",
                                    "  0.000208 s  db       sends to client:32768 7 B" + " ".repeat(39) + "LINE",
                                    "  0.000284 s  network  is cut: client and db" + " ".repeat(43) + "CUT",
                                    "  0.001284 s  check    fails: java.lang.AssertionError: must always hold: all is well  CHECK");
                });
    }

    @Test
    void clientThatDoesNotEnd_isToldWithWhatItAwaits() {
        assertThatThrownBy(() -> Simulation.replay(1, sim -> {
                    sim.host("db", SimulationTest::echo);
                    sim.timeLimit(Duration.ofMinutes(2));
                    sim.client(() -> TcpStream.connect("db", PORT).lines().readLine());
                }))
                .hasMessageContaining("after PT2M its clients had not ended\nclient: ")
                .hasMessageContaining("awaits read from 10.0.0.1:5432");
    }

    // ---- checks and seeds

    @Test
    void sameSeed_isTheSameRun_anotherOneIsNot() {
        Map<Long, List<String>> traces = new HashMap<>();
        for (long seed : new long[] {1, 2, 1, 2}) {
            List<String> trace = new ArrayList<>();
            Simulation.replay(seed, sim -> {
                sim.host("a", SimulationTest::echo);
                sim.host("b", SimulationTest::echo);
                sim.faults().partitions().kills().resets().slowLinks().pauses().every(Duration.ofSeconds(1));
                sim.client(() -> stubborn(sim, trace, 50));
                sim.client(() -> stubborn(sim, trace, 50));
            });
            List<String> before = traces.putIfAbsent(seed, trace);
            if (before != null) assertThat(trace).isEqualTo(before);
        }
        assertThat(traces.get(1L)).isNotEqualTo(traces.get(2L)).hasSizeGreaterThan(100);
    }

    /** Asks until it has enough answers. */
    private static void stubborn(Simulation sim, List<String> trace, int answers) {
        for (int had = 0; had < answers; ) {
            String host = sim.random().nextBoolean() ? "a" : "b";
            try {
                withTimeout(Duration.ofSeconds(2), () -> ask(host, "x"));
                had++;
                trace.add(sim.elapsed() + " " + host);
            } catch (InputOutputException | AsyncTimeoutException gone) {
                trace.add(sim.elapsed() + " " + host + " " + gone.getMessage());
            }
            delay(500);
        }
    }

    /** A counter that forgets what it has acknowledged, if it loses its power at the right time. */
    @Test
    void plantedBug_isFound_byTheFaultThatItNeeds() {
        Scenario scenario = sim -> {
            int[] stored = {0};
            int[] acknowledged = {0};
            Host db = sim.host("db", () -> {
                int[] count = {stored[0]};
                spawn(() -> {
                    while (true) {
                        delay(1_000);
                        stored[0] = count[0]; // behind the answers
                    }
                });
                var server = TcpServer.listen("0.0.0.0", PORT);
                while (true) {
                    try (TcpStream peer = server.accept()) {
                        write(peer, "" + ++count[0]);
                    } catch (InputOutputException gone) {
                        count[0]--;
                    }
                }
            });
            sim.faults().partitions().kills("db").slowLinks().resets();
            sim.client(() -> {
                for (int i = 0; i < 100; i++) {
                    try {
                        withTimeout(Duration.ofSeconds(1), () -> {
                            String number = ask("db", "add");
                            if (number == null) return;
                            sim.always(Integer.parseInt(number) > acknowledged[0], "numbers grow");
                            acknowledged[0] = Integer.parseInt(number);
                        });
                    } catch (InputOutputException | AsyncTimeoutException again) {
                        // the next one
                    }
                    delay(300);
                }
            });
        };
        assertThatThrownBy(() -> Simulation.explore(100, scenario))
                .isInstanceOfSatisfying(SimulationFailure.class, failure -> {
                    assertThat(failure.story()).anyMatch(line -> line.endsWith("fault   begins: db has no power"));
                    assertThat(failure).hasMessageContaining("\nIt needs 1 of ");
                    assertThatThrownBy(() -> Simulation.replay(failure.seed(), scenario))
                            .hasMessage(failure.getMessage());
                });
    }

    @Test
    void runThatDoesNotRepeat_isToldSo_withTheFirstDifference() {
        int[] runs = {0};
        assertThatThrownBy(() -> Simulation.replay(1, sim -> {
                    int number = ++runs[0];
                    sim.client(() -> {
                        sim.note("run " + number);
                        throw new IllegalStateException();
                    });
                }))
                .hasMessageContaining("does not repeat")
                .hasMessageContaining("note  run 2  SimulationTest.java")
                .hasMessageContaining("note  run 3  SimulationTest.java");
    }

    @Test
    void whatOnlyTheFirstRunDoes_isNoDifference() {
        int[] runs = {0};
        assertThatThrownBy(() -> Simulation.replay(
                        1,
                        sim -> sim.client(() -> {
                            if (++runs[0] == 1) delay(1);
                            sim.note("begins");
                            throw new IllegalStateException("always");
                        })))
                .hasMessageStartingWith("seed 1: java.lang.IllegalStateException: always\nTo repeat it:");
    }

    @Test
    void whatIsNeverReached_isTold() {
        assertThatThrownBy(() -> Simulation.explore(3, sim -> {
                    sim.reachable("the retry");
                    sim.reachable("the answer");
                    sim.client(() -> {
                        sim.reachable("the answer");
                        sim.sometimes(sim.seed() == 2, "an even seed");
                        sim.sometimes(sim.seed() > 3, "a large seed");
                    });
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("never held in 3 seeds: a large seed; the retry");
    }

    @Simulated(seeds = 5)
    void afterwards_allIsMended(Simulation sim) {
        sim.host("a", SimulationTest::echo);
        sim.faults().partitions().kills().until(Duration.ofHours(1));
        sim.client(() -> delay(100_000));
        sim.afterwards(() -> {
            assertThat(ask("a", "x")).isEqualTo("echo x");
            sim.reachable("the end");
        });
        sim.reachable("the end");
    }
}
