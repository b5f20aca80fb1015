package org.trueasync.stress.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.testkit.Nightly;

/**
 * Each target under <a href="https://github.com/CodeIntelligenceTesting/jazzer">Jazzer</a>, which keeps the inputs that
 * reach new code and changes these further. Needs the profile {@code fuzz}. What fails names its input; it becomes a
 * seed, and an ordinary test of the class that has failed.
 */
class FuzzNightly {
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    /** One class alone, by its name. */
    private static final String ONLY = System.getProperty("trueasync.fuzz.only", "");

    private static final int AT_A_TIME = Math.min(2, Runtime.getRuntime().availableProcessors());
    private static final Path FOLDER = Path.of("target", "fuzz");
    private static final Pattern DONE =
            Pattern.compile("#(\\d+)\\s+(?:DONE|RELOAD|pulse|NEW|REDUCE|INITED)\\s+cov: (\\d+) .*?corp: (\\d+)/");

    private record Outcome(Target target, int exit, String output) {
        /** A figure that Jazzer has told last: inputs, edges, or the size of the corpus. */
        long told(int group) {
            long last = 0;
            for (Matcher line = DONE.matcher(output); line.find(); ) last = Long.parseLong(line.group(group));
            return last;
        }

        String failure() {
            int from = output.indexOf("== Java Exception");
            return target + " has ended with " + exit + ":\n"
                    + output.substring(from < 0 ? Math.max(0, output.length() - 4_000) : from);
        }
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.HOURS)
    void targetsBreakNoPromise_whateverTheyAreGiven() throws Exception {
        List<Target> targets = Target.ALL.stream()
                .filter(target -> ONLY.isEmpty() || target.toString().equals(ONLY))
                .toList();
        long seconds = Math.max(5, Nightly.budget(10).toSeconds() * AT_A_TIME / targets.size());
        var outcomes = new ArrayList<Outcome>();
        try (var executor = Executors.newFixedThreadPool(AT_A_TIME)) {
            List<Callable<Outcome>> runs = new ArrayList<>();
            for (Target target : targets) runs.add(() -> run(target, seconds));
            for (Future<Outcome> run : executor.invokeAll(runs)) outcomes.add(run.get());
        }
        List<Outcome> failed =
                outcomes.stream().filter(outcome -> outcome.exit() != 0).toList();
        for (Outcome outcome : outcomes)
            System.out.printf(
                    "%s: %,d inputs, %,d edges, %,d kept%n",
                    outcome.target(), outcome.told(1), outcome.told(2), outcome.told(3));
        Nightly.figure(
                "fuzzing",
                String.format(
                        "%d parsers, %,d inputs in %d s each, %,d branches reached, %,d inputs kept, %d failures",
                        targets.size(),
                        outcomes.stream().mapToLong(outcome -> outcome.told(1)).sum(),
                        seconds,
                        outcomes.stream().mapToLong(outcome -> outcome.told(2)).sum(),
                        outcomes.stream().mapToLong(outcome -> outcome.told(3)).sum(),
                        failed.size()));
        assertTrue(
                failed.isEmpty(),
                () -> failed.stream().map(Outcome::failure).toList().toString());
    }

    private static Outcome run(Target target, long seconds) throws IOException, InterruptedException {
        Path corpus = Files.createDirectories(FOLDER.resolve(target.toString()));
        for (int i = 0; i < target.seeds().size(); i++)
            Files.write(corpus.resolve("seed-" + i), target.seeds().get(i));
        Path output = FOLDER.resolve(target + ".txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JAZZER,
                        "--target_class=" + target.type().getName(),
                        "--instrumentation_includes=org.trueasync.**:org.eclipse.jetty.http.**:org.eclipse.jetty.http2.**",
                        "--reproducer_path=" + FOLDER,
                        "-artifact_prefix=" + FOLDER + "/",
                        "-max_total_time=" + seconds,
                        "-max_len=2048",
                        // of one input
                        "-timeout=20",
                        "-rss_limit_mb=4096",
                        corpus.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            return new Outcome(target, process.waitFor(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
