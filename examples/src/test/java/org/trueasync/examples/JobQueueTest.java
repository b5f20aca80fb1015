package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.internal.testkit.FreePort;

/** The example JobQueue in processes of their own, which are killed. */
@Tag("deep")
class JobQueueTest {
    /** More than the workers do until two of them are killed. */
    private static final int JOBS = 1_000;

    @TempDir
    Path temporary;

    private final String name = "jobs-" + ProcessHandle.current().pid();
    private final List<Process> started = new ArrayList<>();

    /** A program, and the file with what it has printed. */
    private record Program(Process process, Path printed) {
        List<String> lines() {
            try {
                return Files.readAllLines(printed);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean says(String first) {
            return lines().stream().anyMatch(line -> line.startsWith(first));
        }

        /** The attempts that it has begun and not ended. */
        long underWay() {
            return lines().stream().filter(line -> line.startsWith("begins ")).count()
                    - lines().stream()
                            .filter(line -> line.startsWith("has done "))
                            .count();
        }

        List<String> results() {
            return lines().stream()
                    .filter(line -> line.startsWith("result "))
                    .map(line -> line.substring(7))
                    .toList();
        }

        /** SIGKILL. */
        void kill() {
            process.destroyForcibly();
            Async.blocking(process::waitFor);
        }
    }

    private Program start(int port, String... arguments) throws Exception {
        Path printed = temporary.resolve("printed-" + started.size());
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "org.trueasync.launcher.Main",
                "run",
                "--held-loop-after",
                "off",
                "JobQueue.java"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().put("TRUEASYNC_CLUSTER_NAME", name);
        builder.environment().put("TRUEASYNC_CLUSTER_MEMBERS", "127.0.0.1:" + port);
        Process process = builder.start();
        started.add(process);
        return new Program(process, printed);
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : started) {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private static void until(String what, BooleanSupplier condition, Program... programs) {
        long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                var printed = new ArrayList<List<String>>();
                for (Program each : programs) printed.add(each.lines());
                throw new AssertionError("not within 120 s: " + what + "; they have printed " + printed);
            }
            Async.delay(20);
        }
    }

    @Test
    @Timeout(500)
    void submitterKilled_andAWorkerKilledAtWork_everyJobHasItsResult() throws Exception {
        int port = FreePort.any();
        Async.run((Body) () -> {
            // without entries of its own: it lacks the classes of the example
            try (var observer = Cluster.join(ClusterConfig.builder()
                    .name(name)
                    .port(port)
                    .engine(engine -> engine.setLiteMember(true))
                    .build())) {
                Program first = start(port);
                Program second = start(port);
                awaitMembers(observer, 3);
                Program submitter = start(port, Integer.toString(JOBS));
                until("it has submitted", () -> submitter.says("has submitted"), submitter);
                until("the workers work", () -> first.says("begins") && second.says("begins"), first, second);
                awaitMembers(observer, 4);

                submitter.kill();
                awaitMembers(observer, 3);
                until("the first is at work", () -> first.underWay() > 0, first);
                first.kill();
                awaitMembers(observer, 2);
                assertThat(first.underWay()).isPositive();

                Program collector = start(port, "0");
                int status = Async.blocking(() -> collector.process().waitFor(240, TimeUnit.SECONDS)
                        ? collector.process().exitValue()
                        : -1);
                assertThat(status).as(() -> collector.lines().toString()).isZero();
                var results = new TreeSet<>(submitter.results());
                results.addAll(collector.results());
                assertThat(results)
                        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, JOBS)
                                .mapToObj(i -> "WHALE " + i)
                                .toList());
                assertThat(collector.results()).isNotEmpty();
                assertThat(observer.map("jobs").size()).isZero();
            }
        });
    }

    /** Also until each entry has its copy again: two kills in a row would lose those that have none. */
    private static void awaitMembers(Cluster observer, int count) {
        until(
                count + " members, with all copies",
                () -> observer.members().size() == count
                        && observer.engine().getPartitionService().isClusterSafe());
    }
}
