package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SimulateTest {
    @TempDir
    Path temporary;

    @BeforeEach
    void writeProgram() throws Exception {
        LauncherProcess.write(
                temporary,
                "Seven.java",
                """
                import org.trueasync.testkit.simulation.Simulation;

                class Seven {
                    private static int statics;
                    int fields;

                    void seven(Simulation sim) {
                        sim.client(() -> sim.always(++statics == ++fields || sim.seed() != 7, "no seven"));
                    }

                    static void calm(Simulation sim) {
                        sim.client(() -> sim.sometimes(sim.seed() == 9, "a nine"));
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
                .endsWith("must always hold: no seven  Seven.java:8\n");
        assertThat(result.err()).doesNotContain("trueasync: ");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void scenarios_runOneAfterAnother_untilOneFails() throws Exception {
        LauncherProcess.Result result = simulate("--seeds", "10");
        assertThat(result.out()).matches("(?s)calm: 10 seeds pass in [0-9.]+ s\nseven: seed 7: .*");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
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
        assertThat(result.err()).isEqualTo("trueasync: no scenario 'helper' in class Seven; it has calm, seven\n");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void signal_endsIt_andItSaysHowFarItCame() throws Exception {
        String[] words = words("--scenario", "calm", "--seeds", "2000000000", "--jobs", "2").toArray(String[]::new);
        Process process = LauncherProcess.start(temporary, words);
        try (BufferedReader errors = process.errorReader()) {
            assertThat(errors.readLine()).contains(" of 2,000,000,000 seeds, ").contains("reached ");
            List<ProcessHandle> jobs = process.children().toList();
            assertThat(jobs).hasSize(2);
            process.toHandle().destroy(); // leaves the streams open
            assertThat(errors.lines().toList().getLast()).startsWith("stopped: ").endsWith("; none has failed");
            for (ProcessHandle job : jobs) job.onExit().get();
        }
        assertThat(process.waitFor()).isEqualTo(143);
    }
}
