package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.InputOutputException;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** The same seeds in JVMs that compile and collect in other ways, and in other JDKs: they do the same. */
@Tag("deep")
@Timeout(600)
class SameTraceTest {
    private static final int SEEDS = 15;
    private static final int PORT = 7_000;

    @TempDir
    Path temporary;

    @Test
    void sameSeeds_haveTheSameTraces_inEachJvm() throws Exception {
        String expected = traces(java(), List.of());
        assertThat(expected.lines()).hasSize(SEEDS);
        for (String flag :
                List.of("-XX:TieredStopAtLevel=1", "-Xint", "-XX:+UseSerialGC", "-XX:+UseG1GC", "-XX:+UseParallelGC"))
            assertThat(traces(java(), List.of(flag))).as(flag).isEqualTo(expected);
        for (Path other : otherJdks())
            assertThat(traces(other, List.of())).as(other.toString()).isEqualTo(expected);
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Those beside this one that are able to run us. */
    private static List<Path> otherJdks() throws IOException {
        var found = new ArrayList<Path>();
        Path here = Path.of(System.getProperty("java.home")).toRealPath();
        try (var homes = Files.newDirectoryStream(here.getParent())) {
            for (Path home : homes) {
                Path release = home.resolve("release");
                if (home.toRealPath().equals(here) || !Files.isReadable(release)) continue;
                if (Files.readString(release).matches("(?s).*JAVA_VERSION=\"(2[5-9]|[3-9]\\d).*"))
                    found.add(home.resolve("bin/java"));
            }
        }
        return found;
    }

    private String traces(Path java, List<String> flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(java.toString(), "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SameTraceTest.class.getName()));
        Path output = temporary.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        if (!process.waitFor(300, TimeUnit.SECONDS)) process.destroyForcibly();
        return Files.readString(output);
    }

    // ---- in the child

    /** Prints a number for each seed. */
    static void main() throws Throwable {
        digest(1); // classes are initialised
        for (int seed = 1; seed <= SEEDS; seed++) System.out.println(seed + " " + digest(seed));
    }

    private static String digest(long seed) throws Throwable {
        var run = new SimulatedRun(seed, false);
        var lines = new ArrayList<String>();
        define(new Simulation(run, seed), lines);
        Throwable failure = run.run(null);
        if (failure != null) throw failure;
        if (System.getProperty("show") != null) lines.forEach(System.out::println);
        return run.trace.digest() + " " + String.join("\n", lines).hashCode() + " " + lines.size();
    }

    private static void define(Simulation sim, List<String> log) {
        for (String name : List.of("a", "b")) sim.host(name, () -> serve(name));
        sim.faults()
                .partitions()
                .kills()
                .resets()
                .slowLinks()
                .pauses()
                .diskErrors()
                .every(Duration.ofSeconds(2));
        sim.client(() -> use(sim, log));
        sim.client(() -> use(sim, log));
    }

    private static void serve(String name) {
        var server = TcpServer.listen("0.0.0.0", PORT);
        var lock = new ReentrantLock();
        while (true) {
            TcpStream peer = server.accept();
            spawn(() -> {
                lock.lock();
                try (peer) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    store(name);
                    String answer = name + " " + Instant.now() + " " + UUID.randomUUID() + "\n";
                    peer.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
                } catch (InputOutputException gone) {
                    // it asks again
                } finally {
                    lock.unlock();
                }
            });
        }
    }

    private static void store(String name) {
        try (var file = AsyncFile.open(
                Path.of("/" + name), java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(100), 0);
            file.sync(true);
        }
    }

    private static void use(Simulation sim, List<String> log) {
        for (int i = 0; i < 20; i++) {
            String host = Set.of("a", "b").iterator().next();
            String said;
            try {
                said = withTimeout(Duration.ofSeconds(2), () -> {
                    try (var stream = TcpStream.connect(host, PORT)) {
                        return stream.lines().readLine();
                    }
                });
            } catch (InputOutputException | AsyncTimeoutException gone) {
                said = gone.getMessage();
            }
            log.add(sim.elapsed() + " " + said + " " + orders());
            delay(ThreadLocalRandom.current().nextInt(500));
        }
    }

    /** What depends on chance, and on the order of the JDK's collections and of its other threads. */
    private static String orders() {
        var shuffled = new ArrayList<>(IntStream.range(0, 10).boxed().toList());
        Collections.shuffle(shuffled);
        var concurrent = new ConcurrentHashMap<String, Integer>();
        for (int number : shuffled) concurrent.merge("key" + number, number, Integer::sum);
        var map = Map.of("one", 1, "two", 2, "three", 3, "four", 4, "five", 5);
        String later = CompletableFuture.supplyAsync(
                        () -> Instant.now().toString(), CompletableFuture.delayedExecutor(3, TimeUnit.MILLISECONDS))
                .join();
        return shuffled + " " + concurrent + " " + map + " " + Set.of("x", "y") + " "
                + Map.of(1, 2).keySet() + " " + later;
    }
}
