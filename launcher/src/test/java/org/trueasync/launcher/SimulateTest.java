package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SimulateTest {
    @TempDir
    Path temporary;

    @BeforeEach
    void writeProgram() throws Exception {
        LauncherProcess.write(temporary, "Seven.java", """
                import static org.trueasync.Async.delay;
                import java.time.Duration;
                import org.trueasync.testkit.simulation.*;

                class Seven {
                    int runs;

                    void seven(Simulation sim) {
                        sim.client(() -> sim.always(runs++ == 0 && sim.seed() != 7, "no seven"));
                    }

                    static void calm(Simulation sim) {
                        sim.client(() -> sim.sometimes(sim.seed() == 9, "a nine"));
                    }

                    void power(Simulation sim) {
                        Host db = sim.host("db", () -> delay(100_000));
                        sim.client(() -> {
                            delay(1_000);
                            db.pause(Duration.ofSeconds(2));
                            delay(5_000);
                            db.kill();
                            delay(1_000);
                            db.restart();
                            sim.note("it works again");
                            delay(1_000);
                        });
                    }

                    private void helper(Simulation sim) {}
                }
                """);
    }

    private LauncherProcess.Result simulate(String... options) throws Exception {
        return LauncherProcess.run(temporary, words(options).toArray(String[]::new));
    }

    private static List<String> words(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("simulate", "Seven.java"));
        String testKit = LauncherProcess.placeOf(Class.forName("org.trueasync.testkit.simulation.Simulation"));
        words.addAll(List.of("-cp", testKit));
        words.addAll(List.of(options));
        return words;
    }

    @Test
    void seedThatFails_isTold_byTheProcessThatFoundIt() throws Exception {
        LauncherProcess.Result result = simulate("--seeds", "20", "--jobs", "2", "--scenario", "seven");
        assertThat(result.out())
                .startsWith("seed 7: java.lang.AssertionError: must always hold: no seven\n")
                .contains("or trueasync simulate --seed 7\n")
                .endsWith("must always hold: no seven  Seven.java:9\n");
        assertThat(result.err()).doesNotContain("trueasync: ");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    @Tag("deep")
    void orderThatFails_isToldStepByStep_byAProgramThatExplores() throws Exception {
        LauncherProcess.write(temporary, "Orders.java", """
                import static org.trueasync.Async.*;
                import org.trueasync.testkit.*;

                void main() {
                    try {
                        Schedules.explore(100, () -> {
                            int[] last = {0};
                            var first = spawn("first", () -> last[0] = await(Outside.completes(1)));
                            var second = spawn("second", () -> last[0] = await(Outside.completes(2)));
                            awaitAllOrFail(first, second);
                            if (last[0] != 2) throw new AssertionError("overtaken");
                        });
                    } catch (ScheduleFailure found) {
                        IO.println(found.getMessage());
                    }
                }
                """);
        String testKit = LauncherProcess.placeOf(Class.forName("org.trueasync.testkit.simulation.Simulation"));
        LauncherProcess.Result result =
                new Installed(temporary.resolve("installed")).run(temporary, "run", "-cp", testKit, "Orders.java");
        assertThat(result.out()).contains("AssertionError: overtaken\n", "'first'   begins; spawned by #");
        assertThat(result.err()).isEmpty();
    }

    @Test
    @Tag("deep")
    void scenarios_runOneAfterAnother_untilOneFails() throws Exception {
        LauncherProcess.Result result = simulate("--seeds", "10");
        assertThat(result.out())
                .matches("(?s)calm: 10 seeds pass in [0-9.]+ s\npower: 10 seeds pass .*\nseven: seed 7: .*");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    @Tag("deep")
    void whatIsNeverReached_isAFailure_ofAllProcessesTogether() throws Exception {
        LauncherProcess.Result found = simulate("--scenario", "calm", "--seeds", "9", "--jobs", "2");
        assertThat(found.out()).startsWith("9 seeds pass in ");
        assertThat(found.status()).isZero();
        LauncherProcess.Result missed = simulate("--scenario", "calm", "--seeds", "8");
        assertThat(missed.out()).isEqualTo("never held in 8 seeds: a nine\n");
        assertThat(missed.status()).isEqualTo(1);
    }

    @Test
    void unknownScenario_isRefused_withThoseThatThereAre() throws Exception {
        LauncherProcess.Result result = simulate("--scenario", "helper");
        assertThat(result.err())
                .isEqualTo("trueasync: no scenario 'helper' in class Seven; it has calm, power, seven\n");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    @Tag("deep")
    void timeline_hasATrackForEachHost_inVirtualTime() throws Exception {
        assertThat(simulate("--scenario", "power", "--seed", "3", "--timeline", "out.json")
                        .out())
                .startsWith("seed 3 passes in ");
        assertThat(Files.readAllLines(temporary.resolve("out.json")))
                .contains(
                        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"db\"}},",
                        slice("stands still", "bad", 1_000, 2_000),
                        slice("has no power", "terrible", 6_000, 1_000))
                .anyMatch(
                        line -> line.contains("it works again") && line.contains("\"line of code\":\"Seven.java:25\""));
        assertThat(simulate("--scenario", "seven", "--seed", "7", "--timeline", "none/out.json")
                        .out())
                .startsWith("seed 7: ")
                .endsWith("\nNo timeline: java.nio.file.NoSuchFileException: none/out.json\n");
    }

    private static String slice(String name, String colour, int fromMillis, int millis) {
        return String.format(
                "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"cat\":\"host\",\"cname\":\"%s\",\"ts\":%d000.000,"
                        + "\"dur\":%d000.000,\"args\":{}},",
                name, colour, fromMillis, millis);
    }

    @Test
    @Tag("deep")
    void signal_endsIt_andItSaysHowFarItCame() throws Exception {
        String[] words = words("--scenario", "calm", "--seeds", "2000000000", "--jobs", "2")
                .toArray(String[]::new);
        Process process = LauncherProcess.start(temporary, words);
        try (BufferedReader errors = process.errorReader()) {
            assertThat(errors.readLine()).contains(" of 2,000,000,000 seeds, ").contains("reached ");
            List<ProcessHandle> jobs = process.children().toList();
            assertThat(jobs).hasSize(2);
            process.toHandle().destroy(); // leaves the streams open
            assertThat(errors.lines().toList().getLast())
                    .startsWith("stopped: ")
                    .endsWith("; none has failed");
            for (ProcessHandle job : jobs) job.onExit().get();
        }
        assertThat(process.waitFor()).isEqualTo(143);
    }
}
